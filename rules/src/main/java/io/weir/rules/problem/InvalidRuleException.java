package io.weir.rules.problem;

import java.util.List;
import java.util.stream.Collectors;

/** A rule, tier, cost or switch can't be saved: its message names each field and what is wrong. */
public final class InvalidRuleException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final transient List<RuleProblem> problems;

  /**
   * Tells all that is wrong at once.
   *
   * @param problems at least one
   */
  public InvalidRuleException(List<RuleProblem> problems) {
    super(problems.stream().map(RuleProblem::toString).collect(Collectors.joining("; ")));
    this.problems = List.copyOf(problems);
  }

  /**
   * All that is wrong.
   *
   * @return at least one
   */
  public List<RuleProblem> problems() {
    return problems;
  }
}
