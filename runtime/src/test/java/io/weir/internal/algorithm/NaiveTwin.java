package io.weir.internal.algorithm;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The slowest way to count: remembers everything that was ever taken and reads it all each time.
 */
final class NaiveTwin {
  private record Use(long time, long permits) {}

  private final Claims limits;
  private final List<Use> uses = new ArrayList<>();

  NaiveTwin(Claims limits) {
    this.limits = limits;
  }

  /** Notes what was granted of one request: nothing if it was refused. */
  void take(long time, long permits) {
    uses.add(new Use(time, permits));
  }

  long left(long now) {
    if (limits.refill() > 0) {
      return leftBySteps(now);
    }
    return switch (limits.bucket().spec().algorithm()) {
      case FIXED_WINDOW -> without(now - now % limits.window());
      case SLIDING_LOG -> without(now - limits.window() + 1);
      case SLIDING_WINDOW -> leftBySlots(now);
      case TOKEN_BUCKET, LEAKY_BUCKET -> leftByLevel(now);
    };
  }

  private long without(long from) {
    long used = uses.stream().filter(use -> use.time >= from).mapToLong(Use::permits).sum();
    return limits.effectiveLimit() - used;
  }

  private long leftBySlots(long now) {
    BigInteger first = slot(now).subtract(BigInteger.valueOf(60));
    long used =
        uses.stream()
            .filter(use -> slot(use.time).compareTo(first) >= 0)
            .mapToLong(Use::permits)
            .sum();
    return limits.effectiveLimit() - used;
  }

  private BigInteger slot(long time) {
    return big(time).multiply(big(60)).divide(big(limits.window()));
  }

  /** By going through all that was ever asked, one step of the clock after another. */
  private long leftBySteps(long now) {
    long used = 0;
    long next = Long.MAX_VALUE;
    for (int i = 0; i <= uses.size(); i++) {
      Use use = i < uses.size() ? uses.get(i) : new Use(now, 0);
      for (; used > 0 && use.time >= next; next += limits.window()) {
        used = Math.max(0, used - limits.refill());
      }
      if (use.permits > 0) {
        next = used == 0 ? use.time + limits.window() : next;
        used += use.permits;
      } else if (limits.bucket().spec().strict() && i < uses.size()) {
        next = Math.max(next, use.time + limits.window());
      }
    }
    return limits.burst() - used;
  }

  /** By the time at which the level will be 0, in parts of 1/effectiveLimit microsecond. */
  private long leftByLevel(long now) {
    BigInteger empty = BigInteger.ZERO;
    for (Use use : uses) {
      BigInteger at = big(use.time).multiply(big(limits.effectiveLimit()));
      empty = empty.max(at).add(big(use.permits).multiply(big(limits.window())));
    }
    BigInteger ahead = empty.subtract(big(now).multiply(big(limits.effectiveLimit())));
    BigInteger window = big(limits.window());
    BigInteger level = ahead.max(BigInteger.ZERO).add(window).subtract(BigInteger.ONE);
    return limits.burst() - level.divide(window).longValueExact();
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }
}
