package io.weir.internal.rules.rulebook.compile;

import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.rules.problem.RuleProblem;
import java.util.List;

/**
 * A rulebook, and the problems of the rows that it was compiled from.
 *
 * @param rulebook all that can be used
 * @param problems rows that can't be used as they are, and warnings
 */
public record CompiledRulebook(Rulebook rulebook, List<RuleProblem> problems) {
  public CompiledRulebook {
    problems = List.copyOf(problems);
  }
}
