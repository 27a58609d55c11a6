package io.weir.benchmarks.cold;

import io.weir.annotation.Algorithm;
import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.benchmarks.Table;
import io.weir.benchmarks.redis.Newcomers;
import io.weir.benchmarks.redis.ScriptEach;
import io.weir.benchmarks.redis.WeirRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Requests that each come from a new caller, so that no node has a lease for any of them, from few
 * threads and from many.
 */
public final class ColdSuite implements BenchmarkSuite {
  private static final int[] THREADS = {1, 2, 8, 64};
  private static final int MAX_THREADS = 64;

  /** Makes it. */
  public ColdSuite() {}

  @Override
  public String name() {
    return "cold";
  }

  @Override
  public String about() {
    return "Requests that each come from a new caller, over one Redis, beside a script for each"
        + " request (INCR, PEXPIRE; Jedis with a pool).";
  }

  @Override
  public List<String> figures() {
    List<String> all = new ArrayList<>();
    for (int threads : THREADS) {
      for (String what :
          List.of("vs_script", "fixed_vs_script", "p50_vs_script", "cpu_vs_script", "bytes")) {
        all.add(figure(threads, what));
      }
    }
    all.addAll(RequestProfile.figures());
    return all;
  }

  private static String figure(int threads, String what) {
    return "cold." + threads + (threads == 1 ? "thread." : "threads.") + what;
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    report.setting("limit", ProfileChild.LIMIT + " per minute, so that no request is refused");
    report.setting("redis", "one for each, on this machine, over TCP; they take turns");
    new Race(effort, report).run();
    RequestProfile.run(effort, report);
  }

  /** The three in turns. */
  private static final class Race {
    private final Report report;
    private final int uncounted;
    private final int rounds;
    private final int millis;
    private final int warmUpSeconds;
    private final List<List<String>> rows = new ArrayList<>();

    Race(Effort effort, Report report) {
      this.report = report;
      this.uncounted = effort.of(0, 1, 1);
      this.rounds = effort.of(1, 3, 9);
      this.millis = effort.of(50, 300, 1_000);
      this.warmUpSeconds = effort.of(0, 6, 24);
    }

    void run() throws Exception {
      try (Candidate sliding =
              new Candidate(
                  port -> WeirRedis.hard(port, ProfileChild.LIMIT, Algorithm.SLIDING_WINDOW));
          Candidate fixed =
              new Candidate(
                  port -> WeirRedis.hard(port, ProfileChild.LIMIT, Algorithm.FIXED_WINDOW));
          Candidate script =
              new Candidate(port -> new ScriptEach(port, MAX_THREADS, ProfileChild.LIMIT))) {
        List<Newcomers> all = List.of(sliding.newcomers(), fixed.newcomers(), script.newcomers());
        warmUp(all);
        for (int threads : THREADS) {
          report.progress("a new caller each request, threads: " + threads);
          race(all, threads);
        }
      }
      report.table(new Table("Contenders by the number of threads", Costs.COLUMNS, rows));
    }

    private void warmUp(List<Newcomers> all) throws Exception {
      report.progress("warming up for " + warmUpSeconds + " s");
      long until = System.nanoTime() + warmUpSeconds * 1_000_000_000L;
      for (int i = 0; System.nanoTime() < until; i++) {
        for (Newcomers each : all) {
          each.round(THREADS[i % THREADS.length], millis);
        }
      }
    }

    private void race(List<Newcomers> all, int threads) throws Exception {
      List<Costs> costs = new ArrayList<>();
      all.forEach(any -> costs.add(new Costs(rounds)));
      for (int round = -uncounted; round < rounds; round++) {
        for (int i = 0; i < all.size(); i++) {
          Newcomers.Round came = all.get(i).round(threads, millis);
          if (round >= 0) {
            costs.get(i).note(round, came);
          }
        }
      }
      Costs sliding = costs.get(0);
      Costs script = costs.get(2);
      tell(threads, "vs_script", sliding.perSecond().over(script.perSecond()));
      tell(threads, "fixed_vs_script", costs.get(1).perSecond().over(script.perSecond()));
      tell(threads, "p50_vs_script", sliding.p50().over(script.p50()));
      tell(threads, "cpu_vs_script", sliding.cpu().over(script.cpu()));
      report.figure(figure(threads, "bytes"), sliding.bytes(), "B");
      rows.add(sliding.row(threads, "Weir, SLIDING_WINDOW"));
      rows.add(costs.get(1).row(threads, "Weir, FIXED_WINDOW"));
      rows.add(script.row(threads, "script"));
    }

    private void tell(int threads, String what, Samples samples) {
      report.figure(figure(threads, what), samples, "x");
    }
  }

  /** The costs of one contender's requests, round by round. */
  private static final class Costs {
    static final List<String> COLUMNS =
        List.of(
            "threads",
            "contender",
            "requests a second",
            "p50 µs",
            "p99 µs",
            "CPU of the node, µs a request",
            "CPU of Redis, µs a request",
            "B a request");

    private final double[] perSecond;
    private final double[] p50;
    private final double[] p99;
    private final double[] cpu;
    private final double[] redis;
    private final double[] bytes;

    Costs(int rounds) {
      perSecond = new double[rounds];
      p50 = new double[rounds];
      p99 = new double[rounds];
      cpu = new double[rounds];
      redis = new double[rounds];
      bytes = new double[rounds];
    }

    void note(int round, Newcomers.Round came) {
      perSecond[round] = came.perSecond();
      p50[round] = came.latencies().micros(50);
      p99[round] = came.latencies().micros(99);
      cpu[round] = came.node().cpuNanos() / 1e3 / came.requests();
      redis[round] = came.redis().cpuNanos() / 1e3 / came.requests();
      bytes[round] = (double) came.node().bytes() / came.requests();
    }

    Samples perSecond() {
      return Samples.of(perSecond);
    }

    Samples p50() {
      return Samples.of(p50);
    }

    Samples cpu() {
      return Samples.of(cpu);
    }

    Samples bytes() {
      return Samples.of(bytes);
    }

    List<String> row(int threads, String contender) {
      return List.of(
          "" + threads,
          contender,
          text("%,.0f", perSecond),
          text("%,.0f", p50),
          text("%,.0f", p99),
          text("%.1f", cpu),
          text("%.1f", redis),
          text("%,.0f", bytes));
    }

    private static String text(String format, double... samples) {
      return String.format(Locale.ROOT, format, Samples.of(samples).median());
    }
  }
}
