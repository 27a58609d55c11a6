package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Permits and the times at which they were spent, judged by the definition of each algorithm and by
 * nothing else.
 */
final class Spent {
  private record Use(long time, long permits) {}

  private final List<Use> uses = new ArrayList<>();

  void add(long time, long permits) {
    if (permits > 0) {
      uses.add(new Use(time, permits));
    }
  }

  long total() {
    return uses.stream().mapToLong(Use::permits).sum();
  }

  /** Fails if any window, interval or span of time has more than it may have. */
  void assertWithin(Claims limits) {
    uses.sort(Comparator.comparingLong(Use::time));
    for (int first = 0; first < uses.size(); first++) {
      long sum = 0;
      for (int last = first; last < uses.size(); last++) {
        long from = uses.get(first).time();
        long to = uses.get(last).time();
        if (!together(limits, from, to)) {
          break;
        }
        sum += uses.get(last).permits();
        long most = limits.leaks() ? drained(limits, to - from) : limits.effectiveLimit();
        long used = sum;
        assertTrue(sum <= most, () -> used + " of " + most + " from " + from + " to " + to);
      }
    }
  }

  private static boolean together(Claims limits, long from, long to) {
    if (limits.leaks()) {
      return true;
    }
    return limits.bucket().spec().algorithm() == Algorithm.FIXED_WINDOW
        ? from / limits.window() == to / limits.window()
        : to - from < limits.window();
  }

  private static long drained(Claims limits, long time) {
    if (limits.refill() > 0) {
      return limits.burst() + limits.refill() * (time / limits.window() + 1);
    }
    return BigInteger.valueOf(time)
        .multiply(BigInteger.valueOf(limits.effectiveLimit()))
        .divide(BigInteger.valueOf(limits.window()))
        .add(BigInteger.valueOf(limits.burst()))
        .longValueExact();
  }
}
