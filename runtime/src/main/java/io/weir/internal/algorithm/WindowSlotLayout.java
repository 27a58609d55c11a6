package io.weir.internal.algorithm;

/**
 * Cuts a window into up to {@value #MAX_SLOTS} slots, numbered since the epoch: as many as leave
 * each of them at least as long as the shortest life of a grant.
 *
 * <p>Immutable.
 *
 * @param window microseconds
 */
public record WindowSlotLayout(long window, int count) {
  /**
   * The largest number of slots of a window. The scripts in Redis repeat this number.
   *
   * <p>More would let permits come back earlier, and take more memory: at 60 a window's length of
   * full use gives up one part in 61.
   */
  public static final int MAX_SLOTS = 60;

  /**
   * Takes microseconds.
   *
   * @param minLife the shortest life of a grant; 0 where permits are spent at once
   */
  public static WindowSlotLayout of(long window, long minLife) {
    long fitting = minLife == 0 ? MAX_SLOTS : window / minLife;
    return new WindowSlotLayout(window, (int) Math.max(1, Math.min(MAX_SLOTS, fitting)));
  }

  long at(long time) {
    return Math.floorDiv(time * count, window);
  }

  /**
   * Returns the first microsecond of a slot; a window needn't be a multiple of the number of slots.
   */
  long start(long slot) {
    return -Math.floorDiv(-slot * window, count);
  }
}
