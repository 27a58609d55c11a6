package io.weir.internal.rules.rulebook;

import io.weir.rules.Rule;
import io.weir.rules.RuleProblem;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with a rule, were it saved, and what its author should know. */
public final class RuleChecks {
  private RuleChecks() {}

  /**
   * Checks a rule against the others.
   *
   * @param rule a new one, or one that replaces its row
   * @param rulebook the rules of now
   * @return problems and warnings; none if all is well
   */
  public static List<RuleProblem> check(Rule rule, Rulebook rulebook) {
    return new ArrayList<>(RuleCompiler.compile(rule, rulebook.context()).problems());
  }
}
