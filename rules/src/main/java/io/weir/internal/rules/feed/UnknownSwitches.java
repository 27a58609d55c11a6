package io.weir.internal.rules.feed;

import io.weir.Policy;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.internal.rules.rulebook.UnusableRule;
import io.weir.internal.settings.NearestWord;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Finds switches whose policy doesn't exist, and which therefore change nothing. */
final class UnknownSwitches {
  private final Set<String> known = new TreeSet<>();

  /**
   * Collects the names that a switch may have.
   *
   * @param rules all rules, of any state
   * @param unreadable the rows of rules that can't be read
   * @param application the application with its policies
   */
  UnknownSwitches(
      Collection<Rule> rules, Collection<UnusableRule> unreadable, RulebookContext application) {
    for (Rule each : rules) {
      known.add(each.name());
      if (each.isForPolicy()) {
        known.add(each.policyName());
      }
    }
    unreadable.forEach(each -> known.add(each.name()));
    application.boundPolicies().stream().map(Policy::name).forEach(known::add);
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
                each.policy(),
                "policy",
                "is the name of no rule, and of no policy of an annotation or setting that this"
                    + " application has bound so far (one made in code isn't looked for)"
                    + meant(each.policy()).map(near -> "; did you mean " + near + "?").orElse(""),
                true));
      }
    }
    return problems;
  }

  /** Generated names may end in a digest that people leave out. */
  private Optional<String> meant(String name) {
    return known.stream()
        .filter(each -> each.startsWith(name + "-"))
        .findFirst()
        .or(() -> NearestWord.to(name, known));
  }
}
