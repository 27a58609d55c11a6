package io.weir.seeds;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.CRC32;

/**
 * Determines how many random cases the tests of a build try, and from which seed.
 *
 * <p>A build tries few, and others each day: seeds are drawn from the date. What fails names its
 * seed.
 *
 * <ul>
 *   <li>{@code -Dweir.test.seeds=20}, which {@code -Pdeep} sets, tries twenty times as many;
 *   <li>{@code -Dweir.test.seed=3} tries seed 3 and no other;
 *   <li>{@code -Dweir.test.day=2026-11-22} tries those of another day again;
 *   <li>{@code -Dweir.test.turns=all}, which {@code ./t} sets, runs classes and methods whose turn
 *       is another day, too.
 * </ul>
 */
public final class Seeds {
  /** More than a suite tries in a short build: so no two days have a seed in common. */
  private static final long A_DAY = 1_000;

  @SuppressWarnings("TimeInStaticInitializer") // one day for all tests, though midnight may pass
  private static final Seeds OF_THIS_BUILD =
      new Seeds(System::getProperty, LocalDate.now(ZoneOffset.UTC));

  private final int factor;
  private final boolean alone;
  private final long first;
  private final long day;
  private final long turn;
  private final boolean everyTurn;

  Seeds(UnaryOperator<String> property, LocalDate today) {
    factor = Math.max(1, Integer.parseInt(or(property.apply("weir.test.seeds"), "1")));
    day = LocalDate.parse(or(property.apply("weir.test.day"), today.toString())).toEpochDay();
    turn = Math.floorDiv(day, days(or(property.apply("weir.test.turn"), "0 of 1")));
    String named = or(property.apply("weir.test.seed"), "");
    alone = !named.isEmpty();
    everyTurn = or(property.apply("weir.test.turns"), "").equals("all");
    first = alone ? Long.parseLong(named) : day * A_DAY;
  }

  /** Reads in how many days a module is tested once: 2 of "1 of 2". The POM finds out which. */
  private static long days(String turn) {
    return Long.parseLong(turn.substring(turn.lastIndexOf(' ') + 1));
  }

  private static String or(String value, String otherwise) {
    return value == null || value.isBlank() ? otherwise : value;
  }

  /**
   * Returns whether this is a long build: then whatever has a short and a long form takes the long
   * one.
   */
  public static boolean deep() {
    return OF_THIS_BUILD.factor > 1;
  }

  /** Returns whether tests that take turns run only on their day. */
  public static boolean takeTurns() {
    return OF_THIS_BUILD.haveTurns();
  }

  boolean haveTurns() {
    return factor == 1 && !everyTurn;
  }

  /** Returns whether one seed was asked for by name. */
  public static boolean alone() {
    return OF_THIS_BUILD.alone;
  }

  /** Returns the number of the day since 1970, of the days on which the module is tested. */
  static long turn() {
    return OF_THIS_BUILD.turn;
  }

  /**
   * Draws a number from a name alone, so that what takes turns by it isn't moved by what is new.
   *
   * @return 0 to 2<sup>32</sup> − 1
   */
  public static long turn(String name) {
    CRC32 sum = new CRC32();
    sum.update(name.getBytes(StandardCharsets.UTF_8));
    return sum.getValue();
  }

  /** Returns the seed of this build, or the first of several. */
  public static long first() {
    return OF_THIS_BUILD.first;
  }

  /** Returns the number of tries in this build, from that in a short build. */
  public static int times(int inShortBuild) {
    return OF_THIS_BUILD.factor * inShortBuild;
  }

  /**
   * Returns the number of tries in this build: that in a short build, or so many as a long build
   * multiplies.
   */
  public static int times(int inShortBuild, int multiplied) {
    return deep() ? times(multiplied) : inShortBuild;
  }

  /**
   * Returns the seeds of a suite that tries so many in a short build, and in a long one a multiple
   * of others.
   */
  public static LongStream of(int inShortBuild, int multiplied) {
    return OF_THIS_BUILD.some(inShortBuild, multiplied);
  }

  /** Returns the seeds of a suite that tries so many in a short build. */
  public static LongStream of(int inShortBuild) {
    return OF_THIS_BUILD.some(inShortBuild);
  }

  /** Tests a property with each of those seeds; what fails names its seed. */
  public static void each(int inShortBuild, Property property) {
    of(inShortBuild)
        .forEach(
            seed -> {
              try {
                property.holds(new Random(seed * 7_919 + 17));
              } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
              }
            });
  }

  /**
   * Returns those of a long list whose turn it is today, one in so many; all of them in a long
   * build. As many days see each of them: days on which its module is tested. If its class has its
   * turn on {@link OneDayIn} some, the two numbers may have no divisor in common.
   */
  public static <T> List<T> today(List<T> all, int oneIn) {
    return OF_THIS_BUILD.turn(all, oneIn);
  }

  LongStream some(int inShortBuild) {
    return LongStream.range(first, first + (alone ? 1 : (long) factor * inShortBuild));
  }

  LongStream some(int inShortBuild, int multiplied) {
    return some(factor > 1 ? multiplied : inShortBuild);
  }

  <T> List<T> turn(List<T> all, int oneIn) {
    return factor > 1
        ? all
        : IntStream.range(0, all.size())
            .filter(i -> Math.floorMod(i + turn, oneIn) == 0)
            .mapToObj(all::get)
            .toList();
  }

  /** A property that holds for all values that a random number generator makes. */
  @FunctionalInterface
  public interface Property {
    /** Fails if it doesn't. */
    void holds(Random random);
  }
}
