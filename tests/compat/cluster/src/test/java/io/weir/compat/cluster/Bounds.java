package io.weir.compat.cluster;

import io.weir.Ticker;
import io.weir.compat.cluster.node.Sample;
import io.weir.compat.cluster.node.Terms;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Checks admissions against a limit, by the times at which callers were admitted. It shares nothing
 * with the engine, and reports only proven violations: an admission counts in an interval only if
 * all of it, from the request to the answer, lies inside.
 *
 * <p>Immutable.
 */
final class Bounds {
  /** By how much the clock of a store may go slower than the one of these times: one thousandth. */
  private static final long DRIFT = 1_000;

  private static final long EDGE_NANOS = 2_000_000;

  private final long[] asked;
  private final long[] answered;

  private Bounds(Report report) {
    this.asked = sorted(report, Sample::before);
    this.answered = sorted(report, Sample::after);
  }

  private static long[] sorted(Report report, ToLongFunction<Sample> time) {
    return report.samples().stream().mapToLong(time).sorted().toArray();
  }

  /** The number of admissions beyond the terms in the worst interval; at most 0 is right. */
  static long excess(Report report, Terms terms) {
    Bounds bounds = new Bounds(report.admitted());
    long window = terms.windowMillis() * 1_000_000;
    return switch (terms.algorithm()) {
      case FIXED_WINDOW -> bounds.fixed(window) - terms.limit();
      case SLIDING_WINDOW, SLIDING_LOG -> bounds.sliding(window) - terms.limit();
      case TOKEN_BUCKET -> bounds.bucket(terms.limit(), terms.limit(), window);
      case LEAKY_BUCKET -> bounds.bucket(terms.limit(), 1, window);
    };
  }

  /** The most in any interval of a window's length. */
  private long sliding(long window) {
    long most = 0;
    for (int i = 0; i < asked.length; i++) {
      most = Math.max(most, answeredBy(asked[i] + window - window / DRIFT) - askedBefore(i));
    }
    return most;
  }

  /** The most in any window since the epoch, by the clock of this machine. */
  private long fixed(long window) {
    Ticker clock = Ticker.system();
    long offset = clock.epochMicros() * 1_000 - clock.nanoTime();
    Map<Long, Long> counts = new HashMap<>();
    for (int i = 0; i < asked.length; i++) {
      long edge = Math.floorDiv(asked[i] + offset, window) * window - offset;
      counts.computeIfAbsent(
          edge, from -> answeredBy(from + window - EDGE_NANOS) - asked(from + EDGE_NANOS));
    }
    return counts.values().stream().mapToLong(each -> each).max().orElse(0);
  }

  /** By how many the worst interval exceeds the burst and what came in since. */
  private long bucket(long limit, long burst, long window) {
    long worst = Long.MIN_VALUE;
    double least = Double.POSITIVE_INFINITY;
    double perNano = (double) limit / window * (1 + 1.0 / DRIFT);
    int next = 0;
    for (int j = 0; j < answered.length; j++) {
      while (next < asked.length && asked[next] <= answered[j]) {
        least = Math.min(least, askedBefore(next) - perNano * asked[next]);
        next++;
      }
      double over = (j + 1) - perNano * answered[j] - least - burst;
      worst = Math.max(worst, (long) Math.ceil(over - 0.01));
    }
    return worst;
  }

  private long answeredBy(long time) {
    return below(answered, time + 1);
  }

  private long askedBefore(int index) {
    return asked(asked[index]);
  }

  private long asked(long time) {
    return below(asked, time);
  }

  /** The number that are less than a time. */
  private static long below(long[] times, long time) {
    int found = Arrays.binarySearch(times, time);
    int index = found >= 0 ? found : -found - 1;
    while (index > 0 && times[index - 1] >= time) {
      index--;
    }
    return index;
  }
}
