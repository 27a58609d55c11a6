package io.weir.benchmarks.cold;

import io.weir.annotation.Algorithm;
import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.redis.Newcomers;
import io.weir.benchmarks.redis.ScriptEach;
import io.weir.benchmarks.redis.WeirLimiter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
    race(effort, report);
    RequestProfile.run(effort, report);
  }

  private static void race(Effort effort, Report report) throws Exception {
    NewcomersRace race =
        new NewcomersRace(
            report, effort.of(1, 3, 9), effort.of(50, 300, 1_000), effort.of(0, 6, 24), THREADS);
    try (Candidate sliding = weir(Algorithm.SLIDING_WINDOW);
        Candidate fixed = weir(Algorithm.FIXED_WINDOW);
        Candidate script =
            Candidate.onRedis(port -> new ScriptEach(port, MAX_THREADS, ProfileChild.LIMIT))) {
      Map<String, Newcomers> contenders = new LinkedHashMap<>();
      contenders.put("Weir, SLIDING_WINDOW", sliding.newcomers());
      contenders.put("Weir, FIXED_WINDOW", fixed.newcomers());
      contenders.put("script", script.newcomers());
      race.run(
          "Contenders by the number of threads",
          contenders,
          (threads, costs) -> tell(report, threads, costs));
    }
  }

  private static Candidate weir(Algorithm algorithm) throws Exception {
    return Candidate.onRedis(port -> WeirLimiter.hard(port, ProfileChild.LIMIT, algorithm));
  }

  private static void tell(Report report, int threads, List<Costs> costs) {
    Costs sliding = costs.get(0);
    Costs script = costs.get(2);
    report.figure(figure(threads, "vs_script"), sliding.perSecond().over(script.perSecond()), "x");
    report.figure(
        figure(threads, "fixed_vs_script"), costs.get(1).perSecond().over(script.perSecond()), "x");
    report.figure(figure(threads, "p50_vs_script"), sliding.p50().over(script.p50()), "x");
    report.figure(figure(threads, "cpu_vs_script"), sliding.cpu().over(script.cpu()), "x");
    report.figure(figure(threads, "bytes"), sliding.bytes(), "B");
  }
}
