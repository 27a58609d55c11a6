package io.weir.internal.algorithm;

/**
 * A window cut into up to {@value #MOST} slots, numbered since the epoch: as many as leave each of
 * them at least as long as the shortest life of a grant.
 *
 * <p>Immutable.
 *
 * @param window microseconds
 * @param count how many slots it is cut into
 */
public record LeaseSlots(long window, int count) {
  /**
   * Into how many slots anything is cut at most. The scripts in Redis say this number again.
   *
   * <p>More would let permits come back earlier, and take more memory: at 60 a window's length of
   * full use gives up one part in 61.
   */
  public static final int MOST = 60;

  /**
   * Cuts a window.
   *
   * @param window microseconds
   * @param minLife the shortest life of a grant in microseconds; 0 where permits are spent at once
   * @return its slots
   */
  public static LeaseSlots of(long window, long minLife) {
    long fitting = minLife == 0 ? MOST : window / minLife;
    return new LeaseSlots(window, (int) Math.max(1, Math.min(MOST, fitting)));
  }

  /** The slot that a time lies in. */
  long at(long time) {
    return Math.floorDiv(time * count, window);
  }

  /** The first microsecond of a slot; a window needn't be a multiple of the number of slots. */
  long start(long slot) {
    return -Math.floorDiv(-slot * window, count);
  }
}
