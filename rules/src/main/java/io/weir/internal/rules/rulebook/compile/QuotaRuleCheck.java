package io.weir.internal.rules.rulebook.compile;

import io.weir.Policy;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import java.util.List;

/** Checks rules with {@code period = QUOTA} for members that they can't have. */
final class QuotaRuleCheck {
  /** All of them count in one bucket of their caller, and so have one policy's name. */
  private static final String POLICY = "quota";

  private QuotaRuleCheck() {}

  /** The name in shadow mode, which takes nothing from the quota, and isn't in the ledger. */
  private static final String TRIED = "quota-shadow";

  /** Returns the name of a rule's policy. */
  static String policy(Rule rule, String name) {
    if (!rule.window().isQuota()) {
      return name;
    }
    return rule.state() == RuleState.SHADOW ? TRIED : POLICY;
  }

  /** Looks for members that a quota doesn't have. */
  static void check(Rule rule, RulebookContext context, RowProblems problems) {
    if (rule.pattern().startsWith(Rule.POLICY)) {
      problems.wrong(
          "period", "QUOTA isn't allowed in a rule for a policy, which keeps its window");
    }
    if (!rule.countBy().equals(List.of("USER"))) {
      problems.wrong("count_by", "must be USER with the period QUOTA");
    }
    if (rule.algorithm().isPresent()) {
      notFor("algorithm", problems);
    }
    if (rule.burst() != 0) {
      notFor("burst", problems);
    }
    if (rule.refill() != 0) {
      notFor("refill", problems);
    }
    if (rule.strict()) {
      notFor("strict", problems);
    }
    if (rule.perEndpoint()) {
      notFor("per_endpoint", problems);
    }
    if (rule.overshoot() != 0) {
      notFor("overshoot", problems);
    }
    if (!rule.zone().isEmpty()) {
      problems.wrong(
          "zone", "isn't allowed with the period QUOTA: user_quotas has the zone of each user");
    }
    if (rule.maxRollover() > Policy.MAX_LIMIT) {
      problems.wrong("max_rollover", "must be 0 to 1,000,000,000, not " + rule.maxRollover());
    }
    for (Policy each : context.boundPolicies()) {
      if (each.name().equals(POLICY)) {
        problems.wrong("period", "QUOTA needs the name 'quota', which an annotated policy uses");
      }
    }
  }

  private static void notFor(String field, RowProblems problems) {
    problems.wrong(field, "isn't allowed with the period QUOTA");
  }
}
