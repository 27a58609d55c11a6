package io.weir.compat.attack;

import io.weir.seeds.Seeds;
import java.util.Locale;
import java.util.Random;

/**
 * Random cases of one attack from a seed; counts them and prints the count at the end.
 *
 * <p>{@code -Dweir.test.seed=3} says with which seed to begin, {@code -Dweir.test.seeds=20} makes
 * twenty times as many.
 *
 * <p>Confine to one thread.
 */
public final class Cases {
  private final String attack;
  private final long seed = Seeds.first();
  private final Random random = new Random(seed);

  private Cases(String attack) {
    this.attack = attack;
  }

  /** Repeats a case and prints how often; failures name the seed. */
  public static void times(int number, Object test, String attack, Case each) {
    String where = test.getClass().getSimpleName();
    new Cases(attack + " on " + where).run(Seeds.times(number), each);
  }

  private void run(int number, Case each) {
    for (int i = 0; i < number; i++) {
      try {
        each.run(random);
      } catch (Exception | AssertionError failure) {
        throw new AssertionError(
            attack + ", seed " + seed + ", case " + i + ": " + failure, failure);
      }
    }
    System.out.printf(Locale.ROOT, "%s: %,d cases, seed %d%n", attack, number, seed);
  }

  /** Picks one at random. */
  @SafeVarargs
  public static <T> T one(Random random, T... all) {
    return all[random.nextInt(all.length)];
  }

  /** One case. */
  @FunctionalInterface
  public interface Case {
    /** Fails by throwing anything. */
    void run(Random random) throws Exception;
  }
}
