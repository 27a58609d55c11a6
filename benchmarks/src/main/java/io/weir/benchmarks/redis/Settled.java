package io.weir.benchmarks.redis;

import io.weir.annotation.Algorithm;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.compat.redis.RedisServer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Measures for how many dirty buckets per second a flush has the store charge the debts, compared
 * with the floor.
 */
final class Settled {
  /** As many as Weir has unless set, and as deep as its batches. */
  private static final int CONNECTIONS = 2;

  private static final int DEPTH = 512;

  /** The names of the figures by algorithm; the default algorithm has none of its own. */
  private static final Map<Algorithm, String> NAMES =
      Map.of(
          Algorithm.SLIDING_WINDOW, "redis.settled.",
          Algorithm.FIXED_WINDOW, "redis.settled.fixed_window.",
          Algorithm.TOKEN_BUCKET, "redis.settled.token_bucket.");

  private static final List<Algorithm> ALGORITHMS =
      List.of(Algorithm.SLIDING_WINDOW, Algorithm.FIXED_WINDOW, Algorithm.TOKEN_BUCKET);

  private Settled() {}

  static List<String> figures() {
    return ALGORITHMS.stream()
        .map(NAMES::get)
        .flatMap(name -> List.of(name + "vs_incr", name + "weir", name + "incr").stream())
        .toList();
  }

  static void run(Effort effort, Report report) throws Exception {
    for (Algorithm algorithm : ALGORITHMS) {
      run(algorithm, effort, report);
    }
  }

  private static void run(Algorithm algorithm, Effort effort, Report report) throws Exception {
    int buckets = effort.of(5_120, 51_200, 51_200);
    int warmUp = effort.of(1, 5, 10);
    int rounds = effort.of(1, 7, 21);
    report.progress(String.format(Locale.ROOT, "flushes of %d buckets, %s", buckets, algorithm));
    double[] weir = new double[rounds];
    double[] incr = new double[rounds];
    try (RedisServer server = RedisServer.start();
        Dirty dirty = new Dirty(server.url(), algorithm, buckets);
        Increments floor = new Increments(server.port(), CONNECTIONS, buckets, DEPTH)) {
      for (int i = -warmUp; i < rounds; i++) {
        double settled = dirty.round();
        double counted = floor.round();
        if (i >= 0) {
          weir[i] = settled;
          incr[i] = counted;
        }
      }
      dirty.check();
      floor.check();
    }
    String name = Objects.requireNonNull(NAMES.get(algorithm));
    report.figure(name + "vs_incr", Samples.of(weir).over(Samples.of(incr)), "x");
    report.figure(name + "weir", Samples.of(weir), "per_s");
    report.figure(name + "incr", Samples.of(incr), "per_s");
  }
}
