package io.weir.algorithm;

import java.util.Random;

/** Runs a property for many seeds and names the seed of the one that fails. */
final class Seeds {
  /** {@code -Dweir.test.seeds=50} runs fifty times as many. */
  private static final int FACTOR = Integer.getInteger("weir.test.seeds", 1);

  private Seeds() {}

  static void each(int count, Property property) {
    for (int seed = 0; seed < count * FACTOR; seed++) {
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
