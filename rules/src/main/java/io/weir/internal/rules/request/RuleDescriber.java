package io.weir.internal.rules.request;

import io.weir.Policy;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Scope;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.rulebook.UnusableRule;
import io.weir.rules.Rule;
import io.weir.rules.explanation.Explanation.Part;
import java.util.List;

/** Describes rules in explanations, also those whose rows can't be read or used. */
final class RuleDescriber {
  private RuleDescriber() {}

  /** Names the rule that a limit comes from. */
  static String source(CompiledRule rule) {
    return "rule " + rule.rule().origin().orElse(Long.toString(rule.rule().id()));
  }

  /** Notes that the last good version of a rule is in force; empty if its row can be used. */
  static String note(Rulebook book, CompiledRule inForce) {
    for (UnusableRule each : book.unusable()) {
      if (each.id() == inForce.rule().id() && each.id() > 0) {
        return "; this is its last valid version, since its row is invalid: " + each.problem();
      }
    }
    return "";
  }

  /** Notes how permits come back, unless it is evenly, and whether they are each region's own. */
  static String details(Policy policy, long limit) {
    String reach = policy.scope() == Scope.REGION ? "; in each region by itself" : "";
    return givesBack(policy, limit) + reach;
  }

  private static String givesBack(Policy policy, long limit) {
    if (policy.clearOn() == ClearOn.SUCCESS) {
      return "; only failures count, and a success clears those before it";
    }
    long refill = policy.refillFor(limit);
    return refill == 0 ? "" : "; of these, " + refill + " come back at once each window";
  }

  /** Selects the rows for a tier or {@code *} that have no version in force. */
  static List<UnusableRule> leftOut(Rulebook book, List<UnusableRule> rows, String tier) {
    return rows.stream()
        .filter(each -> each.tier().equals(tier) || each.tier().equals(Rule.EVERYBODY))
        .filter(each -> book.rules().stream().noneMatch(one -> one.rule().id() == each.id()))
        .toList();
  }

  /** Describes a row that limits nothing. */
  static Part part(UnusableRule row, String policy, String window) {
    String reason = "its row can't be used: " + row.problem();
    return new Part(policy, false, 0, window, row.source(), reason);
  }
}
