package io.weir.internal.rules.rulebook.compile;

import io.weir.Policy;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.internal.rules.rulebook.column.RuleColumns;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import java.util.List;
import java.util.Set;

/** Checks rules with {@code period = QUOTA} for members that they can't have. */
final class QuotaRuleCheck {
  /** All of them count in one bucket of their caller, and so have one policy's name. */
  private static final String POLICY = "quota";

  private static final Set<String> NOT_FOR_QUOTAS =
      Set.of("algorithm", "burst", "refill", "strict", "per_endpoint", "overshoot");

  private QuotaRuleCheck() {}

  /** The name in shadow mode, which takes nothing from the quota, and isn't in the ledger. */
  private static final String TRIED = "quota-shadow";

  static String policy(Rule rule, String name) {
    if (!rule.window().isQuota()) {
      return name;
    }
    return rule.state() == RuleState.SHADOW ? TRIED : POLICY;
  }

  static void check(Rule rule, RulebookContext context, RowProblems problems) {
    if (rule.pattern().startsWith(Rule.POLICY)) {
      problems.wrong(
          "period", "QUOTA isn't allowed in a rule for a policy, which keeps its window");
    }
    if (!rule.countBy().equals(List.of("USER"))) {
      problems.wrong("count_by", "must be USER with the period QUOTA");
    }
    for (String column : RuleColumns.write(rule).keySet()) {
      if (NOT_FOR_QUOTAS.contains(column)) {
        problems.wrong(column, "isn't allowed with the period QUOTA");
      }
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
}
