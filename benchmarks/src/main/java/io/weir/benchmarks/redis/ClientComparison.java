package io.weir.benchmarks.redis;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.compat.redis.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One script by two clients of Redis: what an exchange costs through each. */
final class ClientComparison {
  private static final int[] THREADS = {1, 8};
  private static final long LIMIT = 1_000_000_000;

  private final Report report;
  private final int rounds;
  private final int millis;

  private ClientComparison(Effort effort, Report report) {
    this.report = report;
    this.rounds = effort.of(1, 5, 15);
    this.millis = effort.of(50, 300, 700);
  }

  static List<String> figures() {
    List<String> all = new ArrayList<>();
    for (int threads : THREADS) {
      all.addAll(
          List.of(name(threads, "jedis"), name(threads, "lettuce"), name(threads, "vs_lettuce")));
    }
    return all;
  }

  private static String name(int threads, String what) {
    return "redis.client." + threads + (threads == 1 ? "thread." : "threads.") + what;
  }

  static void run(Effort effort, Report report) throws Exception {
    for (int threads : THREADS) {
      new ClientComparison(effort, report).race(threads);
    }
  }

  private void race(int threads) throws Exception {
    report.progress(String.format(Locale.ROOT, "one script by two clients, %d threads", threads));
    double[] ofJedis = new double[rounds];
    double[] ofLettuce = new double[rounds];
    try (RedisServer server = RedisServer.start();
        Contender jedis = new ScriptEach(server.port(), threads, LIMIT);
        Contender lettuce = new ScriptByLettuce(server.port(), threads, LIMIT)) {
      for (int i = -3; i < rounds; i++) {
        double one = round(jedis, threads);
        double other = round(lettuce, threads);
        if (i >= 0) {
          ofJedis[i] = one;
          ofLettuce[i] = other;
        }
      }
    }
    Samples jedis = Samples.of(ofJedis);
    Samples lettuce = Samples.of(ofLettuce);
    report.figure(name(threads, "jedis"), jedis, "per_s");
    report.figure(name(threads, "lettuce"), lettuce, "per_s");
    report.figure(name(threads, "vs_lettuce"), jedis.over(lettuce), "x");
  }

  private double round(Contender contender, int threads) throws Exception {
    return SaturatingLoad.run(threads, millis, thread -> () -> contender.admits("caller-" + thread))
        .perSecond();
  }
}
