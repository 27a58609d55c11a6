package io.weir.internal.rules.rulebook.compile;

import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.internal.rules.rulebook.UnusableRule;
import io.weir.rules.OperationCost;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import java.util.List;
import java.util.Map;

/**
 * The rows and the application that a rulebook is compiled from.
 *
 * @param rules all that can be read, of any state
 * @param costs all that can be read
 * @param switches all that can be read
 * @param lastGood by id, the versions that were in force before: where the current row can't be
 *     used, that version stays in force
 * @param unreadable the rows of rules that can't be read
 */
public record RulebookInput(
    List<Rule> rules,
    List<OperationCost> costs,
    List<PolicySwitch> switches,
    Map<Long, Rule> lastGood,
    List<UnusableRule> unreadable,
    RulebookContext context) {
  public RulebookInput {
    rules = List.copyOf(rules);
    costs = List.copyOf(costs);
    switches = List.copyOf(switches);
    lastGood = Map.copyOf(lastGood);
    unreadable = List.copyOf(unreadable);
  }

  /** Takes rules only, without costs, switches and an application. */
  public static RulebookInput of(List<Rule> rules) {
    return new RulebookInput(
        rules, List.of(), List.of(), Map.of(), List.of(), RulebookContext.NONE);
  }
}
