package io.weir.internal.algorithm;

import io.weir.store.SlottedBucket.ChargeVisitor;

/**
 * A state that consists of a sum for each slot, and so can be put together out of the sums of
 * several nodes.
 *
 * <p>Confine to one thread.
 */
interface SlottedState {
  /** Advances this fresh state to now, which {@link #put} refers to. */
  void begin(long now);

  /** Returns the first slot that counts now. */
  long firstSlot(long now);

  /** Until when a slot counts. */
  long countsUntil(long slot);

  /** Returns the slot that a stamp names. */
  default long slotOf(long stamp) {
    return stamp;
  }

  /** Adds permits to a slot that counts now. */
  void put(long now, long slot, long permits);

  /** Visits the sums by slot, the earlier ones first. */
  void eachSum(ChargeVisitor visitor);
}
