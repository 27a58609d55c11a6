package io.weir.internal.rules.whatif;

/** Bounds the refusals of windows shorter than an hour, by the busiest minute of each hour. */
final class MinutePeaks {
  private static final long MINUTE = 60;
  private static final long HOUR = HourLumps.HOUR;

  private MinutePeaks() {}

  /** Bounds windows at fixed times. */
  static RefusalBound fixed(long seconds, long limit) {
    return HOUR % seconds == 0 ? dividing(seconds, limit) : anywhere(seconds, limit);
  }

  /** Bounds windows that roll. */
  static RefusalBound rolling(long seconds, long limit) {
    // a SLIDING_WINDOW has 60 slots, below a minute perhaps fewer, and one more counts
    long counted = seconds < MINUTE ? 2 * seconds : HourLumps.ceil(61 * seconds, 60);
    return counted <= HOUR
        ? anywhere(counted, limit)
        : HourLumps.rolling(HourLumps.run(seconds), limit);
  }

  private static RefusalBound dividing(long seconds, long limit) {
    long minutes = minutes(seconds);
    return caller -> {
      long[] refused = new long[caller.size()];
      for (int at = 0; at < refused.length; at++) {
        refused[at] = piledUp(caller.requests(at), minutes * caller.peak(at), limit);
      }
      return refused;
    };
  }

  /**
   * Returns the most minutes that a window touches if windows begin at multiples of their length.
   */
  static long minutes(long seconds) {
    return HourLumps.ceil(MINUTE - HourLumps.gcd(seconds, MINUTE) + seconds, MINUTE);
  }

  /** Returns the refusals if requests come in as few windows as possible. */
  private static long piledUp(long requests, long most, long limit) {
    long inOne = Math.min(requests, most);
    return inOne <= limit
        ? 0
        : requests / inOne * (inOne - limit) + Math.max(0, requests % inOne - limit);
  }

  /** Bounds windows that begin anywhere: half of the limit in blocks, of which each touches two. */
  private static RefusalBound anywhere(long seconds, long limit) {
    long blocks = HOUR / seconds;
    long minutes =
        HOUR % blocks == 0 ? minutes(HOUR / blocks) : HourLumps.ceil(HOUR, blocks * MINUTE) + 1;
    long touched = HourLumps.ceil(seconds, MINUTE) + 1;
    return caller -> {
      boolean[] isAffected = new boolean[caller.size() + 1];
      for (int at = 0; at < caller.size(); at++) {
        isAffected[at] = canExceed(caller, at, touched, limit);
      }
      long[] refused = new long[caller.size()];
      for (int at = 0; at < refused.length; at++) {
        if (isAffected[at] || isAffected[at + 1] && caller.isAdjacent(at + 1)) {
          refused[at] = piledUp(caller.requests(at), minutes * caller.peak(at), limit / 2);
        }
      }
      return refused;
    };
  }

  /** Returns whether more requests than the limit may lie in a window that ends in an hour. */
  private static boolean canExceed(CallerHours caller, int at, long touched, long limit) {
    if (Math.min(caller.requests(at), touched * caller.peak(at)) > limit) {
      return true;
    }
    return caller.isAdjacent(at)
        && Math.min(
                caller.requests(at - 1) + caller.requests(at),
                touched * Math.max(caller.peak(at - 1), caller.peak(at)))
            > limit;
  }
}
