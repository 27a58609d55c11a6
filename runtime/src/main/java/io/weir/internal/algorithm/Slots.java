package io.weir.internal.algorithm;

/**
 * A window cut into up to 60 slots, numbered since the epoch: as many as leave each of them at
 * least as long as the shortest life of a grant.
 *
 * <p>Immutable.
 */
record Slots(long window, int count) {
  private static final int MOST = 60;

  static Slots of(long window, long minLife) {
    long fitting = minLife == 0 ? MOST : window / minLife;
    return new Slots(window, (int) Math.max(1, Math.min(MOST, fitting)));
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
