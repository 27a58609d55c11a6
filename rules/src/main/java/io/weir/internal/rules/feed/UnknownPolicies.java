package io.weir.internal.rules.feed;

import io.weir.Policy;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.internal.rules.rulebook.UnboundPolicy;
import io.weir.internal.rules.rulebook.UnusableRule;
import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds switches and rules whose policy doesn't exist, and which therefore change nothing. */
final class UnknownPolicies {
  private final Set<String> known = new TreeSet<>();
  private final Set<String> bound = new TreeSet<>();

  /**
   * Collects the names that a switch may have.
   *
   * @param rules all rules, of any state
   * @param unreadable the rows of rules that can't be read
   */
  UnknownPolicies(
      Collection<Rule> rules, Collection<UnusableRule> unreadable, RulebookContext application) {
    for (Rule each : rules) {
      known.add(each.name());
      if (each.isForPolicy()) {
        known.add(each.policyName());
      }
    }
    unreadable.forEach(each -> known.add(each.name()));
    application.boundPolicies().stream().map(Policy::name).forEach(bound::add);
    known.addAll(bound);
  }

  /**
   * Finds the switches of unknown policies.
   *
   * @param switches of a policy each, not of all
   */
  List<RuleProblem> among(Collection<PolicySwitch> switches) {
    List<RuleProblem> problems = new ArrayList<>();
    for (PolicySwitch each : switches) {
      if (!known.contains(each.policy())) {
        problems.add(
            new RuleProblem(
                RuleTable.SWITCHES.tableName(),
                RowProblems.shown(each.policy()),
                "policy",
                "isn't the name of a rule, or of a "
                    + UnboundPolicy.OF_APPLICATION
                    + UnboundPolicy.meant(each.policy(), known)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse(""),
                true));
      }
    }
    return problems;
  }

  List<RuleProblem> amongRules(Collection<Rule> rules) {
    List<RuleProblem> problems = new ArrayList<>();
    for (Rule each : rules) {
      if (each.isForPolicy()
          && each.state() != RuleState.DRAFT
          && !bound.contains(each.policyName())) {
        RowProblems row = RowProblems.of(each);
        row.warn("endpoint_pattern", UnboundPolicy.ofPattern(each.policyName(), bound));
        problems.addAll(row.all());
      }
    }
    return problems;
  }
}
