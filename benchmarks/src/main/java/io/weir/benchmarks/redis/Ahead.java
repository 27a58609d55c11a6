package io.weir.benchmarks.redis;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.compat.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Requests of callers that come once, each from a new one, from 64 threads: with an overshoot Weir
 * admits ahead of Redis, and none waits.
 */
final class Ahead {
  private static final int THREADS = 64;
  private static final long LIMIT = 100;

  /** Short, since nothing is admitted ahead before a node has lived for a window. */
  private static final Duration WINDOW = Duration.ofSeconds(4);

  private final Report report;
  private final int rounds;
  private final int millis;
  private final long warmUpNanos;

  private Ahead(Effort effort, Report report) {
    this.report = report;
    this.rounds = effort.of(1, 3, 9);
    this.millis = effort.of(50, 500, 1_000);
    this.warmUpNanos = effort.of(1, 6, 24) * 1_000_000_000L;
  }

  static List<String> figures() {
    return List.of(
        "redis.ahead.vs_script", "redis.ahead.weir", "redis.ahead.script", "redis.ahead.at_once");
  }

  static void run(Effort effort, Report report) throws Exception {
    new Ahead(effort, report).race();
  }

  private void race() throws Exception {
    report.progress(String.format(Locale.ROOT, "a new caller each request, %d threads", THREADS));
    try (RedisServer one = RedisServer.start();
        RedisServer two = RedisServer.start();
        Contender script = new ScriptEach(one.port(), THREADS, LIMIT);
        WeirLimiter bold = WeirLimiter.ahead(two.port(), WINDOW, LIMIT)) {
      ThreadGroup group = Thread.currentThread().getThreadGroup();
      Newcomers each = new Newcomers(group, script::admits, new RedisCallers(one));
      Newcomers ahead =
          new Newcomers(group, bold::admits, bold::admitsAtOnce, new RedisCallers(two));
      long warm = System.nanoTime() + warmUpNanos;
      while (System.nanoTime() < warm) {
        round(each);
        round(ahead);
      }
      ahead.forget();
      double[] asked = new double[rounds];
      double[] ran = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        asked[i] = round(each);
        ran[i] = round(ahead);
      }
      tell(Samples.of(asked), Samples.of(ran));
      report.figure("redis.ahead.at_once", ahead.atOncePercent(), "percent");
    }
  }

  private double round(Newcomers newcomers) throws Exception {
    return newcomers.round(THREADS, millis).perSecond();
  }

  private void tell(Samples script, Samples ahead) {
    report.figure("redis.ahead.vs_script", ahead.over(script), "x");
    report.figure("redis.ahead.weir", ahead, "per_s");
    report.figure("redis.ahead.script", script, "per_s");
  }
}
