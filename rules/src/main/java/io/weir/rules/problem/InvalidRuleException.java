package io.weir.rules.problem;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown if a row can't be saved as it is; the message names each field and what is wrong with it.
 */
public final class InvalidRuleException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final transient List<RuleProblem> problems;

  /**
   * Lists all problems.
   *
   * @param problems at least one
   */
  public InvalidRuleException(List<RuleProblem> problems) {
    super(problems.stream().map(RuleProblem::toString).collect(Collectors.joining("; ")));
    this.problems = List.copyOf(problems);
  }

  /**
   * Returns all problems.
   *
   * @return at least one
   */
  public List<RuleProblem> problems() {
    return problems;
  }
}
