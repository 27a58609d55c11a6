package io.weir.internal.rules.whatif;

/** Bounds the refusals of windows of an hour and longer: an hour counts in all that it touches. */
final class HourLumps {
  private HourLumps() {}

  /** Bounds windows at fixed times; exact if each hour touches one window. */
  static RefusalBound fixed(FixedWindows windows, CrowdedHours crowded) {
    long limit = crowded.limit();
    return caller -> {
      long[] refused = new long[caller.size()];
      boolean[] isCrowded = crowded.of(caller);
      long window = Long.MIN_VALUE;
      long used = 0;
      for (int at = 0; at < refused.length; at++) {
        if (!isCrowded[at]) {
          continue;
        }
        long first = windows.first(caller.hour(at));
        long last = windows.last(caller.hour(at));
        long usedBefore = first == window ? used : 0;
        long admitted = Math.min(caller.requests(at), limit - usedBefore);
        refused[at] = caller.requests(at) - admitted;
        used = first == last ? usedBefore + admitted : admitted;
        window = last;
      }
      return refused;
    };
  }

  /**
   * Bounds windows that roll.
   *
   * @param crowded the hours that a window can touch; what they admit keeps the limit
   */
  static RefusalBound rolling(CrowdedHours crowded) {
    int run = crowded.run();
    long limit = crowded.limit();
    return caller -> {
      long[] refused = new long[caller.size()];
      boolean[] isCrowded = crowded.of(caller);
      long[] admitted = new long[caller.size()];
      long used = 0;
      int oldest = 0;
      for (int at = 0; at < refused.length; at++) {
        while (caller.hour(oldest) <= caller.hour(at) - run) {
          used -= admitted[oldest++];
        }
        if (!isCrowded[at]) {
          continue;
        }
        admitted[at] = Math.min(caller.requests(at), limit - used);
        used += admitted[at];
        refused[at] = caller.requests(at) - admitted[at];
      }
      return refused;
    };
  }

  /**
   * Returns how many hours the 61 slots of a {@code SLIDING_WINDOW} can touch; an interval of the
   * window's own length, wherever it begins, touches no more.
   *
   * @param seconds the window, an hour or longer
   */
  static int run(long seconds) {
    long slot = seconds / SLOTS;
    if (seconds % SLOTS != 0) {
      return Math.toIntExact(WholeNumbers.ceil((SLOTS + 1) * seconds, SLOTS * HOUR) + 1);
    }
    return Math.toIntExact(
        WholeNumbers.ceil(HOUR - WholeNumbers.gcd(slot, HOUR) + (SLOTS + 1) * slot, HOUR));
  }

  static final long HOUR = 3_600;
  private static final long SLOTS = 60;
}
