package io.weir.benchmarks.redis;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.compat.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Requests of callers that come once: each from a new one, from 64 threads. Weir waits for Redis
 * with each of them, but shares the way; with an overshoot it admits ahead.
 */
final class Cold {
  private static final int THREADS = 64;
  private static final long LIMIT = 100;

  /** Short, since nothing is admitted ahead before a node has lived for a window. */
  private static final Duration WINDOW = Duration.ofSeconds(4);

  private final Report report;
  private final int rounds;
  private final int millis;
  private final long warmUpNanos;

  private Cold(Effort effort, Report report) {
    this.report = report;
    this.rounds = effort.of(1, 3, 9);
    this.millis = effort.of(50, 500, 1_000);
    this.warmUpNanos = effort.of(1, 6, 24) * 1_000_000_000L;
  }

  static List<String> figures() {
    return List.of(
        "redis.cold.vs_script",
        "redis.cold.weir",
        "redis.cold.script",
        "redis.ahead.vs_script",
        "redis.ahead.weir",
        "redis.ahead.at_once");
  }

  static void run(Effort effort, Report report) throws Exception {
    new Cold(effort, report).race();
  }

  private void race() throws Exception {
    report.progress(String.format(Locale.ROOT, "a new caller each request, %d threads", THREADS));
    try (RedisServer one = RedisServer.start();
        RedisServer two = RedisServer.start();
        RedisServer three = RedisServer.start();
        WeirRedis weir = WeirRedis.hard(one.port(), THREADS, LIMIT);
        Contender script = new ScriptEach(two.port(), THREADS, LIMIT);
        WeirRedis bold = WeirRedis.ahead(three.port(), WINDOW, LIMIT)) {
      Newcomers cold = new Newcomers(weir::admits, one);
      Newcomers each = new Newcomers(script::admits, two);
      Newcomers ahead = new Newcomers(bold::admits, bold::admitsAtOnce, three);
      long warm = System.nanoTime() + warmUpNanos;
      while (System.nanoTime() < warm) {
        round(cold);
        round(each);
        round(ahead);
      }
      ahead.forget();
      double[] went = new double[rounds];
      double[] asked = new double[rounds];
      double[] ran = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        went[i] = round(cold);
        asked[i] = round(each);
        ran[i] = round(ahead);
      }
      tell(Samples.of(went), Samples.of(asked), Samples.of(ran));
      report.figure("redis.ahead.at_once", ahead.atOncePercent(), "percent");
    }
  }

  private double round(Newcomers newcomers) throws Exception {
    return newcomers.round(THREADS, millis);
  }

  private void tell(Samples cold, Samples script, Samples ahead) {
    report.figure("redis.cold.vs_script", cold.over(script), "x");
    report.figure("redis.cold.weir", cold, "per_s");
    report.figure("redis.cold.script", script, "per_s");
    report.figure("redis.ahead.vs_script", ahead.over(script), "x");
    report.figure("redis.ahead.weir", ahead, "per_s");
  }
}
