package io.weir.internal.redis;

import java.util.Random;

/**
 * Runs a property for many seeds and names the seed of the one that fails; {@code
 * -Dweir.test.seed=3} runs that one alone, {@code -Dweir.test.seeds=50} fifty times as many.
 */
final class Seeds {
  private static final int FACTOR = Integer.getInteger("weir.test.seeds", 1);
  private static final int ONLY = Integer.getInteger("weir.test.seed", 0);
  private static final boolean ONE = System.getProperty("weir.test.seed") != null;

  private Seeds() {}

  static void each(int count, Property property) {
    for (int seed = ONE ? ONLY : 0; seed < (ONE ? ONLY + 1 : count * FACTOR); seed++) {
      try {
        property.holds(new Random(seed * 7_919L + 17));
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
      }
    }
  }

  interface Property {
    void holds(Random random);
  }
}
