package io.weir.attack;

import io.weir.seeds.Seeds;
import java.util.Locale;
import java.util.Random;

/**
 * The cases of one suite: made by chance from a seed, counted, and told of at the end.
 *
 * <p>{@code -Dweir.test.seed=3} says with which seed to begin, {@code -Dweir.test.seeds=20} makes
 * twenty times as many.
 *
 * <p>Confine to one thread.
 */
public final class Cases {
  private final String suite;
  private final long seed = Seeds.first();
  private final Random random = new Random(seed);
  private long count;

  /** Names what is attacked. */
  public Cases(String suite) {
    this.suite = suite;
  }

  /** Runs a case again and again; what fails names the seed that begins them all. */
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

  /** One of several, by chance. */
  @SafeVarargs
  public static <T> T one(Random random, T... all) {
    return all[random.nextInt(all.length)];
  }

  /** Says how many there were. */
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
