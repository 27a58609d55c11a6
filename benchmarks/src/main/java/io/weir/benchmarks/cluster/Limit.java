package io.weir.benchmarks.cluster;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import java.time.Duration;
import java.util.Locale;

/**
 * So many permits a window, for all nodes together, and three times as many requests.
 *
 * <p>Immutable.
 *
 * @param algorithm FIXED_WINDOW or SLIDING_WINDOW
 * @param permits how many
 * @param windowMicros the length of the window
 */
public record Limit(Algorithm algorithm, long permits, long windowMicros) {
  private static final double OFFERED = 3;

  /** Permits a second, over a window of some seconds. */
  static Limit perSecond(Algorithm algorithm, long permits, int seconds) {
    return new Limit(algorithm, permits * seconds, seconds * 1_000_000L);
  }

  boolean fixed() {
    return algorithm == Algorithm.FIXED_WINDOW;
  }

  /** Returns the last part of the names of its figures. */
  String word() {
    return fixed() ? "fixed" : "sliding";
  }

  Duration window() {
    return Duration.ofNanos(windowMicros * 1_000);
  }

  /** Returns the requests per second. */
  double offeredPerSecond() {
    return OFFERED * permits / windowMicros * 1_000_000;
  }

  Policy policy(int overshoot) {
    return Policy.builder(word())
        .algorithm(algorithm)
        .limit(permits)
        .window(window())
        .overshoot(overshoot)
        .build();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s %,d per %d s",
        fixed() ? "FIXED" : "SLIDING",
        permits,
        window().toSeconds());
  }
}
