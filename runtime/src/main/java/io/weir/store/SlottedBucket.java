package io.weir.store;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A bucket that is counted in slots of time, as a sum for each: for a store in which every node
 * keeps its own sums, and adds up those of all. Made by {@link BucketArithmetic#slotted}, for one
 * moment; a later claim needs another one.
 *
 * <p>First {@link #charge} the sums of all nodes, then {@link #execute} claims. Their effect is the
 * difference between {@link #charges()} before and after.
 *
 * <p>Confine to one thread.
 */
public interface SlottedBucket {
  /**
   * Returns the first slot that counts: charges to earlier ones have expired.
   *
   * @return a number; never more than that of a later first slot
   */
  long firstSlot();

  /**
   * Returns when charges to a slot stop counting.
   *
   * @param slot a slot that counts
   * @return microseconds since the epoch by the store's clock, exclusive
   */
  long countsUntil(long slot);

  /**
   * Returns the slot that a stamp names.
   *
   * @param stamp the value of {@link Grant#stamp()}
   * @return its slot, even if that no longer counts
   */
  long slotOf(long stamp);

  /**
   * Adds charges to a slot. If the slot doesn't count, nothing changes.
   *
   * @param slot the slot
   * @param permits the permits charged, 0 and more
   */
  void charge(long slot, long permits);

  /**
   * Visits the charges, each slot once and the earlier ones first.
   *
   * @param visitor receives them; slots without charges may be missing
   */
  void eachCharge(ChargeVisitor visitor);

  /**
   * Returns the charges by slot, for the slots that count.
   *
   * @return a copy; slots without charges may be missing
   */
  default NavigableMap<Long, Long> charges() {
    NavigableMap<Long, Long> all = new TreeMap<>();
    eachCharge(all::put);
    return all;
  }

  /**
   * Executes a claim at the moment that this was made for. There are no far leases.
   *
   * @param claim a claim on this bucket, with {@link Claim#far()} 0
   * @return the answer
   */
  Grant execute(Claim claim);

  /** Visits charges. */
  @FunctionalInterface
  interface ChargeVisitor {
    /**
     * Visits one slot.
     *
     * @param slot the slot
     * @param permits the permits charged to it, 0 and more
     */
    void visit(long slot, long permits);
  }
}
