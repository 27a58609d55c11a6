package io.weir.internal.rules.whatif;

/**
 * Finds the hours, or days, of a caller that a window with more requests than the limit may touch.
 * In all others no request is refused, and their requests take nothing from windows that refuse.
 *
 * <p>A window touches at most {@code minutes} minutes, each with at most P requests, P being the
 * busiest minute of the hours that it lies in. So with m minutes and N requests in these hours it
 * has at most min(N, m × P), and if that is within the limit, all of them are admitted, whatever
 * was admitted before. Windows of whole minutes that begin anywhere touch one minute more than
 * their length, so a caller with (minutes of the window + 1) × P ≤ limit is never refused.
 *
 * @param run the most hours, or days, that a window touches
 * @param minutes the most minutes that a window touches
 */
record CrowdedHours(int run, long minutes, long limit) {
  private static final long MINUTE = 60;
  private static final long SLOTS = 60;

  /**
   * Returns the most minutes of the clock that windows of a length touch: an interval of the
   * length, wherever it begins, and the 61 slots of a {@code SLIDING_WINDOW}, which begin at
   * multiples of a slot.
   */
  static long minutes(long seconds) {
    if (seconds < MINUTE) {
      return WholeNumbers.ceil(2 * seconds, MINUTE) + 1; // of a single slot two count
    }
    if (seconds % SLOTS != 0) {
      return WholeNumbers.ceil((SLOTS + 1) * seconds, SLOTS * MINUTE) + 1;
    }
    long slot = seconds / SLOTS;
    long ofSlots =
        WholeNumbers.ceil(MINUTE - WholeNumbers.gcd(slot, MINUTE) + (SLOTS + 1) * slot, MINUTE);
    return Math.max(seconds / MINUTE + 1, ofSlots);
  }

  /** Returns for each hour whether such a window may touch it. */
  boolean[] of(CallerHours caller) {
    boolean[] isCrowded = new boolean[caller.size()];
    long[] peaks = peaks(caller);
    long requests = 0;
    int oldest = 0;
    for (int at = 0; at < isCrowded.length; at++) {
      requests += caller.requests(at);
      while (caller.hour(oldest) <= caller.hour(at) - run) {
        requests -= caller.requests(oldest++);
      }
      isCrowded[at] = Math.min(requests, minutes * peaks[at]) > limit;
    }
    long last = Long.MAX_VALUE; // of the windows that end in it and later, the earliest end
    for (int at = isCrowded.length - 1; at >= 0; at--) {
      last = isCrowded[at] ? caller.hour(at) : last;
      isCrowded[at] = last - caller.hour(at) < run;
    }
    return isCrowded;
  }

  /** Returns for each hour the busiest minute of all that a window may touch that ends in it. */
  private long[] peaks(CallerHours caller) {
    long[] peaks = new long[caller.size()];
    int[] falling = new int[caller.size()]; // hours whose peak no later one of the run reaches
    int first = 0;
    int end = 0;
    for (int at = 0; at < peaks.length; at++) {
      while (end > first && caller.peak(falling[end - 1]) <= caller.peak(at)) {
        end--;
      }
      falling[end++] = at;
      while (caller.hour(falling[first]) <= caller.hour(at) - run) {
        first++;
      }
      peaks[at] = caller.peak(falling[first]);
    }
    return peaks;
  }
}
