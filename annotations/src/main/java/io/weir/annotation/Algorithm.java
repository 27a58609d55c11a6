package io.weir.annotation;

/** The algorithms that count permits over time. */
public enum Algorithm {
  /**
   * One count per window; windows begin at multiples of their length since the epoch. Up to twice
   * the limit may be admitted around the boundary of two windows.
   */
  FIXED_WINDOW,
  /**
   * Counts of sub-windows: never above the limit in any interval of one window's length, but up to
   * 2 % of the limit may stay unused.
   */
  SLIDING_WINDOW,
  /**
   * The time of every admission: never above the limit in any interval, and the whole limit can be
   * used. With a shared store, permits may come back up to a sixtieth of the window late, since
   * nodes hold them for a slot of time. Takes memory for each admission in the window; beyond 4,096
   * permits adjacent admissions share an entry, so a permit may come back up to 1/2,048 of the
   * window late.
   */
  SLIDING_LOG,
  /** A bucket of {@link RateLimit#burst()} permits, refilled evenly at limit ÷ window. */
  TOKEN_BUCKET,
  /** Requests evenly spaced, window ÷ limit apart; {@link RateLimit#burst()} may come at once. */
  LEAKY_BUCKET
}
