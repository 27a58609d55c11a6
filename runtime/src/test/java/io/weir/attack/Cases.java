package io.weir.attack;

import io.weir.seeds.Seeds;
import java.util.Locale;
import java.util.Random;

/**
 * Runs the random cases of one suite from a seed, and reports their number at the end.
 *
 * <p>{@code -Dweir.test.seed=3} is the first seed, {@code -Dweir.test.seeds=20} runs twenty times
 * as many.
 *
 * <p>Confine to one thread.
 */
public final class Cases {
  private final String suite;
  private final long seed = Seeds.first();
  private final Random random = new Random(seed);
  private long count;

  /** Names the suite. */
  public Cases(String suite) {
    this.suite = suite;
  }

  /** Runs a case repeatedly; a failure names the first seed. */
  public void times(int number, Case each) {
    for (int i = 0; i < Seeds.times(number); i++) {
      try {
        each.run(random);
      } catch (Throwable failure) {
        String where = ", seed " + seed + ", case " + count + ": ";
        throw new AssertionError(suite + where + failure, failure);
      }
      count++;
    }
  }

  /** Picks one of several at random. */
  @SafeVarargs
  public static <T> T one(Random random, T... all) {
    return all[random.nextInt(all.length)];
  }

  /** Reports the number of cases. */
  public void tell() {
    System.out.printf(Locale.ROOT, "%s: %,d cases, seed %d%n", suite, count, seed);
  }

  /** One case. */
  @FunctionalInterface
  public interface Case {
    /** Fails by throwing anything. */
    void run(Random random) throws Exception;
  }
}
