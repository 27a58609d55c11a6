package io.weir.benchmarks.cluster;

import java.util.Arrays;
import java.util.List;

/**
 * The observations of the callers of one limit.
 *
 * <p>Immutable, as long as the admissions don't change.
 *
 * @param limit what they asked for
 * @param from when the load began, in microseconds since 1970
 * @param to when it ended
 * @param admissions when they were admitted
 * @param withStore those of them that weren't decided without the store
 * @param waits how long decisions took their callers
 * @param degraded how many were decided without the store
 * @param exchanges how often the store was asked
 * @param ahead how many permits were reported to the store afterwards
 */
record LoadResult(
    Limit limit,
    long from,
    long to,
    Admissions admissions,
    Admissions withStore,
    Waits waits,
    long degraded,
    long exchanges,
    long ahead) {

  /**
   * Returns the latencies of decisions, in microseconds.
   *
   * @param decisions how many there were
   * @param median half of them at most this
   * @param p99 all but one in a hundred at most this
   */
  record Waits(int decisions, int median, int p99) {
    static Waits of(List<int[]> all) {
      int[] sorted = all.stream().flatMapToInt(Arrays::stream).sorted().toArray();
      return new Waits(
          sorted.length, sorted[sorted.length / 2], sorted[(int) (sorted.length * 99L / 100)]);
    }
  }

  long decisions() {
    return waits.decisions();
  }

  /** Returns the load as a multiple of the limit. */
  double offered() {
    double windows = (double) (to - from) / limit.windowMicros();
    return decisions() / windows / limit.permits();
  }
}
