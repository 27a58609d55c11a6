package io.weir.internal.cassandra;

/**
 * Estimates how far the coordinators' clock gets from the moment at which a claim is computed to
 * the one whose time its last answer contains, so that a claim is charged to a slot that hasn't
 * ended by then.
 *
 * <p>The estimate is the least that was heard, so that it is rarely too much; it grows slowly if
 * answers take longer from now on. Each claim compares it with the time in its answer.
 *
 * <p>Safe for concurrent use.
 */
final class ExchangeLag {
  /** The part of the least that isn't relied on, and by which it grows with each answer. */
  private static final int MARGIN = 16;

  /** The least that isn't relied on: coordinators answer whole milliseconds. */
  private static final long LEAST_MARGIN = 1_000;

  private long least;
  private boolean heard;

  /** Returns the microseconds by which the clock will have advanced at least; 0 if unknown. */
  synchronized long micros() {
    return Math.max(0, least - Math.max(LEAST_MARGIN, least / MARGIN));
  }

  /**
   * Takes what an exchange took.
   *
   * @param computedAt the store's time when it began
   * @param reported the store's time in its last answer
   */
  synchronized void hear(long computedAt, long reported) {
    long lag = Math.max(0, reported - computedAt);
    least = heard ? Math.min(lag, least + least / MARGIN + 1) : lag;
    heard = true;
  }
}
