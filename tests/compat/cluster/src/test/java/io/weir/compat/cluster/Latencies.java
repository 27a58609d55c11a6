package io.weir.compat.cluster;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.compat.redis.RedisServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * Prints how long a decision takes: of a hot bucket, of cold ones, a refused one, and during an
 * outage, on a Redis of its own. The read of the clock is part of each figure, and printed.
 *
 * <p>{@code ./mvnw -q test-compile exec:java -pl tests/compat/cluster -am -Dredis.skip=true
 * -Dpostgres.skip=true}
 */
public final class Latencies {
  private static final int MANY = 1_000_000;
  private static final int SOME = 20_000;
  private static final Policy WIDE =
      Policy.builder("wide").limit(1_000_000_000).window(Duration.ofHours(1)).build();
  private static final Policy ONE =
      Policy.builder("one").limit(1).window(Duration.ofHours(1)).build();

  private final RateLimiter limiter;

  private Latencies(RateLimiter limiter) {
    this.limiter = limiter;
  }

  /** Measures and prints. */
  public static void main(String[] args) {
    try (RedisServer redis = RedisServer.start();
        Weir weir =
            Weir.builder().settings(Map.of("weir.store", redis.url(), "weir.rules", "")).build()) {
      Latencies latencies = new Latencies(weir.limiter());
      System.out.printf(
          Locale.ROOT, "%-28s %10s %10s %10s %10s%n", "µs", "median", "p99", "p99.9", "worst");
      latencies.all(redis);
    }
  }

  private void all(RedisServer redis) {
    print("the clock alone", clockAlone());
    Key hot = Key.of("hot");
    measure(MANY, WIDE, any -> hot, any -> true);
    print("hot bucket", measure(MANY, WIDE, any -> hot, Decision::admitted));
    Key empty = Key.of("empty");
    limiter.tryAcquire(ONE, empty);
    print("refused", measure(MANY, ONE, any -> empty, decision -> !decision.admitted()));
    measure(SOME, WIDE, each -> Key.of("warm-" + each), any -> true);
    print("cold bucket", measure(SOME, WIDE, each -> Key.of("cold-" + each), Decision::admitted));
    redis.pause();
    print("outage, its first 20", measure(20, WIDE, each -> Key.of("a-" + each), any -> true));
    print("outage, cold", measure(SOME, WIDE, each -> Key.of("b-" + each), Decision::degraded));
    print("outage, one bucket", measure(MANY, WIDE, any -> hot, any -> true));
    redis.resume();
  }

  private static long[] clockAlone() {
    long[] nanos = new long[MANY];
    for (int i = 0; i < MANY; i++) {
      long before = Ticker.system().nanoTime();
      nanos[i] = Ticker.system().nanoTime() - before;
    }
    return nanos;
  }

  private long[] measure(
      int times, Policy policy, IntFunction<Key> keys, Predicate<Decision> expected) {
    long[] nanos = new long[times];
    int others = 0;
    for (int i = 0; i < times; i++) {
      Key key = keys.apply(i);
      long before = Ticker.system().nanoTime();
      Decision decision = limiter.tryAcquire(policy, key);
      nanos[i] = Ticker.system().nanoTime() - before;
      others += expected.test(decision) ? 0 : 1;
    }
    if (others > 0) {
      System.out.println(others + " of " + times + " were decided otherwise");
    }
    return nanos;
  }

  private static void print(String what, long[] nanos) {
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%-28s %10.2f %10.2f %10.2f %10.2f%n",
        what,
        at(nanos, 500),
        at(nanos, 990),
        at(nanos, 999),
        at(nanos, 1_000));
  }

  private static double at(long[] sorted, int perMille) {
    return sorted[(int) Math.min(sorted.length - 1L, (long) sorted.length * perMille / 1_000)]
        / 1_000.0;
  }
}
