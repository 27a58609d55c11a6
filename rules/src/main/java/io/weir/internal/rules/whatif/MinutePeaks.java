package io.weir.internal.rules.whatif;

/** Bounds the refusals of windows shorter than an hour, by the busiest minute of each hour. */
final class MinutePeaks {
  private static final long MINUTE = 60;
  private static final long HOUR = HourLumps.HOUR;

  private MinutePeaks() {}

  static RefusalBound fixed(long seconds, long limit) {
    return HOUR % seconds == 0
        ? dividing(seconds, limit)
        : anywhere(seconds, new CrowdedHours(2, CrowdedHours.minutes(seconds), limit));
  }

  static RefusalBound rolling(long seconds, long limit) {
    long minutes = CrowdedHours.minutes(seconds);
    long counted = counted(seconds);
    return counted <= HOUR
        ? anywhere(counted, new CrowdedHours(2, minutes, limit))
        : HourLumps.rolling(new CrowdedHours(HourLumps.run(seconds), minutes, limit));
  }

  /**
   * Returns the seconds that count of a window: of a {@code SLIDING_WINDOW}'s 60 slots one more
   * does, and below a minute it may have a single one.
   */
  private static long counted(long seconds) {
    return seconds < MINUTE ? 2 * seconds : WholeNumbers.ceil(61 * seconds, 60);
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
    return WholeNumbers.ceil(MINUTE - WholeNumbers.gcd(seconds, MINUTE) + seconds, MINUTE);
  }

  /** Returns the refusals if requests come in as few windows as possible. */
  private static long piledUp(long requests, long most, long limit) {
    long inOne = Math.min(requests, most);
    return inOne <= limit
        ? 0
        : requests / inOne * (inOne - limit) + Math.max(0, requests % inOne - limit);
  }

  /** Bounds windows that begin anywhere: half of the limit in blocks, of which each touches two. */
  private static RefusalBound anywhere(long seconds, CrowdedHours crowded) {
    long blocks = HOUR / seconds;
    long minutes =
        HOUR % blocks == 0 ? minutes(HOUR / blocks) : WholeNumbers.ceil(HOUR, blocks * MINUTE) + 1;
    return caller -> {
      boolean[] isCrowded = crowded.of(caller);
      long[] refused = new long[caller.size()];
      for (int at = 0; at < refused.length; at++) {
        if (isCrowded[at]) {
          refused[at] =
              piledUp(caller.requests(at), minutes * caller.peak(at), crowded.limit() / 2);
        }
      }
      return refused;
    };
  }
}
