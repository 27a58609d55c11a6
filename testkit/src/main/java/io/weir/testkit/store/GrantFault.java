package io.weir.testkit.store;

import io.weir.store.Claim;
import io.weir.store.Grant;

/**
 * Replaces the right grant of a simulated store, so that a mistake of the store can be seen to be
 * noticed.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface GrantFault {
  /**
   * Spoils a grant, or doesn't.
   *
   * @param claim what was asked
   * @param right what the store should answer
   * @return what it answers
   */
  Grant spoil(Claim claim, Grant right);

  /**
   * Returns no fault.
   *
   * @return one that changes nothing
   */
  static GrantFault none() {
    return (claim, right) -> right;
  }
}
