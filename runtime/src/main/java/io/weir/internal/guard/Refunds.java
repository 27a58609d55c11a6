package io.weir.internal.guard;

import io.weir.Decision;

/** Gives back what decisions have charged. Safe for concurrent use. */
@FunctionalInterface
interface Refunds {
  /**
   * Gives back what a decision took, once.
   *
   * @param decision of the limiter that takes it back
   */
  void refund(Decision decision);

  /**
   * Reports what became of a request to a policy whose failures a success clears.
   *
   * @param decision of that policy
   * @param succeeded whether the request is such a success; otherwise it has failed
   */
  default void end(Decision decision, boolean succeeded) {
    if (succeeded) {
      refund(decision);
    }
  }
}
