package io.weir.internal.rules.rulebook;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.internal.rules.rulebook.column.UserColumns;
import io.weir.internal.settings.NearestWord;
import io.weir.rules.Rule;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.UserTier;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Finds tiers without limits, and own limits that fit no rule. */
final class UserValidator {
  private UserValidator() {}

  /**
   * Finds the problems of a user's row.
   *
   * @param tiers finds the tiers that have limits
   */
  static List<RuleProblem> problems(
      UserTier user, OwnLimitRules rules, boolean isTierKnown, Supplier<Set<String>> tiers) {
    RowProblems row = new RowProblems(RuleTable.USERS, RuleTable.USERS.shown(user.userId()));
    UserColumns.checkTier(user.tier(), row);
    if (!isTierKnown && row.isEmpty()) {
      row.warn(
          "tier",
          "no rule or @Tier has '"
              + RowProblems.shown(user.tier())
              + "': only rules of * and own limits apply; case matters"
              + NearestWord.hint(RowProblems.shown(user.tier()), tiers.get()));
    }
    for (OwnLimits.Entry each : OwnLimits.of(user.ownLimits()).entries()) {
      if (rules.isForQuotaAlone(user.tier(), each)) {
        row.wrong(
            "custom_limits",
            "'"
                + RowProblems.shown(each.limit().rule())
                + "' is the pattern of a quota, whose limit for one user is in user_quotas");
      } else if (!rules.fits(user.tier(), each)) {
        row.wrong(
            "custom_limits",
            "'"
                + RowProblems.shown(each.limit().rule())
                + "' isn't the name or pattern of a rule of "
                + RowProblems.shown(user.tier()));
      }
    }
    return row.all();
  }

  /**
   * Finds own limits of policies that don't exist, which therefore change nothing.
   *
   * @param bound the names of the application's policies
   */
  static List<RuleProblem> unknownPolicies(UserTier user, OwnLimitRules rules, Set<String> bound) {
    RowProblems row = new RowProblems(RuleTable.USERS, RuleTable.USERS.shown(user.userId()));
    for (OwnLimits.Entry each : OwnLimits.of(user.ownLimits()).entries()) {
      String rule = each.limit().rule();
      if (rule.startsWith(Rule.POLICY) && !rules.isNamed(user.tier(), each)) {
        String policy = rule.substring(Rule.POLICY.length());
        if (!bound.contains(policy)) {
          row.warn(
              "custom_limits",
              "'" + RowProblems.shown(rule) + "' " + UnboundPolicy.ofPattern(policy, bound));
        }
      }
    }
    return row.all();
  }
}
