package io.weir.rules.history;

import io.weir.access.AccessEntry;
import io.weir.rules.problem.RuleProblem;
import java.util.List;

/** Reports changes or a problem of rows. */
public sealed interface RuleEvent {
  /**
   * Reports that a row was added, changed or deleted, or {@linkplain io.weir.rules.Buckets#reset a
   * bucket was reset}.
   *
   * @param change the change in the history
   */
  record Changed(RuleChange change) implements RuleEvent {}

  /**
   * Reports that Weir has banned callers, or made bans longer. A ban that is lifted is a {@link
   * Changed}; one that ends by itself isn't reported.
   *
   * @param bans those since the last report; at least one
   */
  record Banned(List<AccessEntry> bans) implements RuleEvent {
    /**
     * Takes the bans.
     *
     * @param bans those since the last report
     */
    public Banned {
      bans = List.copyOf(bans);
    }
  }

  /**
   * Reports a new problem or warning of a row, or that it is gone.
   *
   * @param problem the problem
   * @param isMended whether the problem is gone
   */
  record Problem(RuleProblem problem, boolean isMended) implements RuleEvent {}
}
