package io.weir.benchmarks.decisions;

import io.weir.Key;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * How many callers there are, and what they are called.
 *
 * <p>Each call of {@link #texts(long)} makes texts of its own: whoever looks a caller up never
 * brings the very object that the cache holds, as no request does.
 */
@State(Scope.Benchmark)
public class Callers {
  /** How many there are. */
  @Param({"1", "100000"})
  public int keys = 1;

  /** All of them once, in an order that the seed decides. */
  String[] texts(long seed) {
    List<Integer> order = new java.util.ArrayList<>(IntStream.range(0, keys).boxed().toList());
    java.util.Collections.shuffle(order, new Random(seed));
    return order.stream().map(Callers::text).toArray(String[]::new);
  }

  /** The same as keys of Weir's. */
  Key[] made(long seed) {
    Key[] made = new Key[keys];
    String[] texts = texts(seed);
    for (int i = 0; i < keys; i++) {
      made[i] = Key.of(texts[i]);
    }
    return made;
  }

  /** As long as an address or a customer's number. */
  private static String text(int number) {
    return Integer.toString(1_000_000 + number * 7);
  }
}
