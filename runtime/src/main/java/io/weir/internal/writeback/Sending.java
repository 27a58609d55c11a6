package io.weir.internal.writeback;

import io.weir.store.Epoch;

/**
 * When claims were sent, and to which data.
 *
 * <p>Immutable.
 *
 * @param at this node's time, read before the claims were made
 * @param era what is known of the lane
 * @param epoch what was known of it then
 */
record Sending(long at, EpochTracker era, Epoch epoch) {

  /** Whether what was charged is still charged, as far as is known. */
  boolean stands() {
    return era.isOf(epoch);
  }
}
