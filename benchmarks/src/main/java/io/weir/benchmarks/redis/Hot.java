package io.weir.benchmarks.redis;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.compat.redis.RedisServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Requests of callers that come often: 1,000 of them, from 8 threads. */
final class Hot {
  private static final int THREADS = 8;
  private static final int CALLERS = 1_000;
  private static final int STEP = 100;

  /** So much that all are admitted, or some would be refused more cheaply. */
  private static final long LIMIT = 20_000_000;

  private static final String WEIR = "weir";
  private static final String SCRIPT = "script";
  private static final String DELAYING = "delaying";
  private static final String REDISSON = "redisson";
  private static final String BUCKET4J = "bucket4j";

  private final Map<String, double[]> results = new LinkedHashMap<>();
  private final String[] callers =
      IntStream.range(0, CALLERS).mapToObj(i -> "caller-" + i).toArray(String[]::new);
  private final long patienceNanos;
  private long heated;
  private long requests;
  private long exchanges;

  private Hot(Effort effort) {
    patienceNanos = effort.of(0, 8, 8) * 1_000_000_000L;
  }

  private static Map<String, Contender.Maker> makers() {
    Map<String, Contender.Maker> makers = new LinkedHashMap<>();
    makers.put(WEIR, WeirRedis::hard);
    makers.put(SCRIPT, ScriptEach::new);
    makers.put(DELAYING, Bucket4jRedis::delaying);
    makers.put(REDISSON, RedissonLimiter::new);
    makers.put(BUCKET4J, Bucket4jRedis::plain);
    return makers;
  }

  static List<String> figures() {
    List<String> all = new ArrayList<>(List.of("redis.hot.exchanges_per_request"));
    for (String name : makers().keySet()) {
      all.add("redis.hot." + name);
      if (!name.equals(WEIR)) {
        all.add("redis.hot.vs_" + name);
      }
    }
    return all;
  }

  static void run(Effort effort, Report report) throws Exception {
    new Hot(effort).race(effort, report);
  }

  private void race(Effort effort, Report report) throws Exception {
    int rounds = effort.of(1, 3, 9);
    int millis = effort.of(50, 500, 1_000);
    report.progress(String.format(Locale.ROOT, "%d callers, %d threads", CALLERS, THREADS));
    try (RedisServer server = RedisServer.start()) {
      Map<String, Contender> contenders = new LinkedHashMap<>();
      makers()
          .forEach(
              (name, maker) -> contenders.put(name, maker.make(server.port(), THREADS, LIMIT)));
      contenders.forEach((name, contender) -> contender.prepare(names(name)));
      for (int i = -1; i < rounds; i++) {
        for (Map.Entry<String, Contender> each : contenders.entrySet()) {
          round(each.getKey(), each.getValue(), i, rounds, i < 0 ? 2L * millis : millis);
        }
      }
      contenders.values().forEach(Contender::close);
    }
    tell(report);
  }

  /**
   * Lets callers come one after the other until all are hot. All at once, each of them waiting for
   * Redis, would be too slow to earn leases; and eight threads ask no more before they are
   * answered. Before each round, since leases go back while the others have theirs.
   */
  private void heat(Contender weir) throws Exception {
    long begin = System.nanoTime();
    int hot = STEP;
    while (hot <= CALLERS && System.nanoTime() - begin < patienceNanos) {
      long before = weir.exchanges();
      SaturatingLoad.Result result = race(WEIR, weir, hot, 100);
      hot += weir.exchanges() - before < result.requests() / 20 ? STEP : 0;
    }
    heated = Math.max(heated, (System.nanoTime() - begin) / 1_000_000);
  }

  // A name for each contender, or they would read each other's buckets.
  private String[] names(String contender) {
    String[] names = new String[callers.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = contender + "-" + callers[i];
    }
    return names;
  }

  private void round(String name, Contender contender, int round, int rounds, long millis)
      throws Exception {
    if (name.equals(WEIR)) {
      heat(contender);
    }
    long before = contender.exchanges();
    SaturatingLoad.Result result = race(name, contender, CALLERS, millis);
    if (round >= 0) {
      results.computeIfAbsent(name, any -> new double[rounds])[round] = result.perSecond();
    }
    if (name.equals(WEIR) && round >= 0) {
      requests += result.requests();
      exchanges += contender.exchanges() - before;
    }
  }

  private SaturatingLoad.Result race(String name, Contender contender, int first, long millis)
      throws Exception {
    String[] names = names(name);
    return SaturatingLoad.run(
        THREADS,
        millis,
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          return () -> contender.admits(names[random.nextInt(first)]);
        });
  }

  private void tell(Report report) {
    report.setting("redis.hot", "callers hot after " + heated + " ms at the latest");
    Samples weir = samples(WEIR);
    for (String name : results.keySet()) {
      report.figure("redis.hot." + name, samples(name), "per_s");
      if (!name.equals(WEIR)) {
        report.figure("redis.hot.vs_" + name, weir.over(samples(name)), "x");
      }
    }
    report.figure("redis.hot.exchanges_per_request", (double) exchanges / requests, "exchanges");
  }

  private Samples samples(String name) {
    return Samples.of(results.getOrDefault(name, new double[0]));
  }
}
