package io.weir.testkit.cluster;

/**
 * When the permits of an admission were spent, by the store's clock.
 *
 * <p>Immutable.
 *
 * @param at by the store's decision if the request waited for that, otherwise from a lease
 * @param slotEnd when the slot that they were charged to ends; {@link Long#MAX_VALUE} if they were
 *     charged to none
 */
record Spending(long at, long slotEnd) {
  /** Returns the spending of permits that no store had granted. */
  static Spending ungranted(long now) {
    return new Spending(now, Long.MAX_VALUE);
  }
}
