package io.weir.internal.clock;

/**
 * Allows for the clocks of this node and of the store running at slightly different speeds: by up
 * to one part in a thousand.
 */
public final class DriftMargin {
  private static final int DRIFT = 1_000;

  private DriftMargin() {}

  /** Returns a duration that is certainly not longer by the store's clock. */
  public static long shorten(long micros) {
    return micros - micros / DRIFT;
  }

  /** Returns a duration that is certainly not shorter by the store's clock. */
  public static long lengthen(long micros) {
    return NodeClock.after(micros, micros / DRIFT + 1);
  }
}
