package io.weir.internal.control.http;

import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import java.util.List;

/** Separates the warnings about a row from its mistakes. */
public final class RowWarnings {
  private RowWarnings() {}

  /**
   * Returns the warnings for the author of a row.
   *
   * @throws InvalidRuleException if there are mistakes
   */
  public static List<String> of(List<RuleProblem> found) {
    List<RuleProblem> wrong = found.stream().filter(each -> !each.isWarning()).toList();
    if (!wrong.isEmpty()) {
      throw new InvalidRuleException(wrong);
    }
    return found.stream().map(RuleProblem::message).toList();
  }
}
