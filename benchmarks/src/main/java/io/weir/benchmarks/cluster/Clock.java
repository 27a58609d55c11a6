package io.weir.benchmarks.cluster;

import java.time.Instant;

/** The machine's time of day, by which a Redis on it counts windows, too. */
final class Clock {
  private Clock() {}

  /** Microseconds since 1970. */
  static long micros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
  }

  /**
   * By how much the time of day is ahead of the monotonic one: it changes when the clock is set.
   */
  static long aheadOfMonotonic() {
    return micros() - System.nanoTime() / 1_000;
  }
}
