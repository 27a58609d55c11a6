package io.weir.internal.algorithm;

import io.weir.annotation.Algorithm;
import java.util.Random;

/** Limits to try: small and odd ones first, for those are where rounding shows. */
final class Samples {
  private static final long[] WINDOWS = {
    10_000, 10_007, 50_000, 999_983, 1_000_000, 7_000_000, 60_000_000, 86_400_000_000L
  };

  private Samples() {}

  static Claims limits(Random random, Algorithm algorithm) {
    Claims limits = plain(random, algorithm);
    if (algorithm != Algorithm.TOKEN_BUCKET || random.nextInt(3) > 0) {
      return limits;
    }
    long refill = 1L + random.nextInt((int) limits.effectiveLimit());
    return Claims.refilled(limits.window(), limits.effectiveLimit(), refill, random.nextBoolean());
  }

  /** Those of buckets without a refill of their own. */
  static Claims plain(Random random, Algorithm algorithm) {
    long window = WINDOWS[random.nextInt(WINDOWS.length)];
    long effectiveLimit = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 1 + random.nextInt(100);
    long burst =
        switch (algorithm) {
          case TOKEN_BUCKET -> random.nextBoolean() ? effectiveLimit : 1 + random.nextInt(200);
          case LEAKY_BUCKET -> 1 + random.nextInt(3);
          default -> effectiveLimit;
        };
    return Claims.of(algorithm, window, effectiveLimit, burst);
  }

  /** A cost that is small as a rule, sometimes all there is, sometimes too much. */
  static long cost(Random random, Claims limits) {
    return switch (random.nextInt(8)) {
      case 0 -> 1 + random.nextInt((int) limits.most());
      case 1 -> limits.most() + (random.nextInt(10) == 0 ? 1 : 0);
      default -> Math.min(limits.most(), 1 + random.nextInt(3));
    };
  }
}
