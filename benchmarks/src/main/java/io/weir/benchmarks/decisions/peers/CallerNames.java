package io.weir.benchmarks.decisions.peers;

import io.weir.Key;
import java.util.Random;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The number and the names of callers.
 *
 * <p>Each call makes texts of its own: a look-up never gets the very object that a cache holds, as
 * no request does.
 */
@State(Scope.Benchmark)
public class CallerNames {
  /** The permits of each caller per day, so many that none is ever refused. */
  public static final int LIMIT = 1_000_000_000;

  private static final int ROOM = 1_000_000;

  /** The number of callers. */
  @Param({"1", "100000"})
  public int keys = 1;

  /**
   * Returns the capacity of each cache, Weir's and its peers': more than ten times the number of
   * callers. A Caffeine cache that is less than half full doesn't record its reads, so it is as
   * fast as it can be, and the cost on top of it shows most.
   */
  public int room() {
    return Math.max(ROOM, 10 * keys);
  }

  /** Returns all of them once, as many as there are. */
  public String[] texts() {
    return IntStream.range(0, keys).mapToObj(CallerNames::text).toArray(String[]::new);
  }

  /**
   * Returns some of them, in an order that the seed decides, each as often as others.
   *
   * @param most how many at most
   */
  public String[] sample(long seed, int most) {
    int[] order = IntStream.range(0, keys).toArray();
    Random random = new Random(seed);
    for (int i = order.length; i > 1; i--) {
      int other = random.nextInt(i);
      int last = order[i - 1];
      order[i - 1] = order[other];
      order[other] = last;
    }
    return IntStream.of(order).limit(most).mapToObj(CallerNames::text).toArray(String[]::new);
  }

  /** Keys of these texts. */
  public static Key[] made(String[] texts) {
    Key[] made = new Key[texts.length];
    for (int i = 0; i < made.length; i++) {
      made[i] = Key.of(texts[i]);
    }
    return made;
  }

  /** Returns an address, for limiters that count by it. */
  public static String text(int number) {
    return "10." + (number >> 16) + '.' + (number >> 8 & 0xFF) + '.' + (number & 0xFF);
  }
}
