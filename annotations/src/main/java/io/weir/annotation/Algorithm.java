package io.weir.annotation;

/** How permits are counted over time. */
public enum Algorithm {
  /**
   * One count per window; windows are multiples of their length since the epoch. Up to twice the
   * limit may pass around the edge between two windows.
   */
  FIXED_WINDOW,
  /**
   * Counts of sub-windows: never above the limit in any interval of one window's length. In return
   * up to 2 % of the limit may stay unused.
   */
  SLIDING_WINDOW,
  /**
   * The time of every admission: never above the limit in any interval. In this process all of the
   * limit can be used; on a shared store up to a sixtieth of the window may come back late, as
   * nodes hold permits for a slot of time. Takes memory for each admission in the window; beyond
   * 4,096 permits neighbours share an entry, so a permit may come back up to 1/2,048 of the window
   * late.
   */
  SLIDING_LOG,
  /** {@link RateLimit#burst()} at once, refilled evenly at limit ÷ window. */
  TOKEN_BUCKET,
  /** Evenly spaced, window ÷ limit apart; {@link RateLimit#burst()} may come together. */
  LEAKY_BUCKET
}
