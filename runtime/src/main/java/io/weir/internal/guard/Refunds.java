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
}
