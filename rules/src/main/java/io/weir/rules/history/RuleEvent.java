package io.weir.rules.history;

import io.weir.rules.problem.RuleProblem;

/** Reports a change or a problem of a row. */
public sealed interface RuleEvent {
  /**
   * Reports that a row was added, changed or deleted, or {@linkplain io.weir.rules.Buckets#reset a
   * bucket was reset}.
   *
   * @param change the change in the history
   */
  record Changed(RuleChange change) implements RuleEvent {}

  /**
   * Reports a new problem or warning of a row, or that it is gone.
   *
   * @param problem the problem
   * @param isMended whether the problem is gone
   */
  record Problem(RuleProblem problem, boolean isMended) implements RuleEvent {}
}
