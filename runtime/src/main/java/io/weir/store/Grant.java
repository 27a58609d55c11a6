package io.weir.store;

/**
 * What the store answers to one claim.
 *
 * <p>Immutable.
 *
 * @param permits how many were granted
 * @param stamp the slot they were charged to; opaque to everyone but the store
 * @param life microseconds until that slot ends and the permits must not be spent any more
 * @param left permits free in the store after this claim, by the claim's own capacity
 * @param retry microseconds until max(1, atLeast) permits would be free by ageing alone; 0: they
 *     are now
 * @param reset microseconds until more than {@code left} would be free by ageing alone; 0: the
 *     bucket is full
 */
public record Grant(long permits, long stamp, long life, long left, long retry, long reset) {}
