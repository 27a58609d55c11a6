package io.weir.store;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A bucket that is counted in slots of time, as a sum for each: for a store in which every node
 * keeps sums of its own, and adds up those of all. Made by {@link BucketArithmetic#slotted}, for
 * one moment: who comes later makes another one.
 *
 * <p>First {@link #charge} what everybody has charged, then {@link #execute} claims. What they have
 * changed is the difference between {@link #charges()} before and after.
 *
 * <p>Confine to one thread.
 */
public interface SlottedBucket {
  /**
   * The first slot that counts: what was charged to earlier ones is over.
   *
   * @return a number; that of no slot to come is less
   */
  long firstSlot();

  /**
   * Until when something counts that is charged to a slot.
   *
   * @param slot a slot that counts
   * @return microseconds since the epoch by the store's clock, exclusive
   */
  long countsUntil(long slot);

  /**
   * Which slot a stamp names.
   *
   * @param stamp what {@link Grant#stamp()} said
   * @return its slot, whether it counts or not
   */
  long slotOf(long stamp);

  /**
   * Adds what was charged to a slot. A slot that doesn't count changes nothing.
   *
   * @param slot the slot
   * @param permits how many, 0 and more
   */
  void charge(long slot, long permits);

  /**
   * Tells what is charged, each slot once and the earlier ones first.
   *
   * @param visitor is told; slots with nothing charged may be missing
   */
  void eachCharge(ChargeVisitor visitor);

  /**
   * What is charged, by slots that count.
   *
   * @return a copy; slots with nothing charged may be missing
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

  /** Is told what is charged. */
  @FunctionalInterface
  interface ChargeVisitor {
    /**
     * Is told of one slot.
     *
     * @param slot the slot
     * @param permits how many are charged to it, 0 and more
     */
    void visit(long slot, long permits);
  }
}
