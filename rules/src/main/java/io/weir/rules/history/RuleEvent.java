package io.weir.rules.history;

import io.weir.rules.Buckets;
import io.weir.rules.problem.RuleProblem;


/** Something that has happened to rules, users or rows. */
public sealed interface RuleEvent {
  /**
   * A row was added, changed or deleted, or {@linkplain Buckets#reset a bucket was made full}.
   *
   * @param change as the history has it
   */
  record Changed(RuleChange change) implements RuleEvent {}

  /**
   * A row can't be used as it is, or should be looked at; or no longer.
   *
   * @param problem which, and what
   * @param isMended whether it is over
   */
  record Problem(RuleProblem problem, boolean isMended) implements RuleEvent {}
}
