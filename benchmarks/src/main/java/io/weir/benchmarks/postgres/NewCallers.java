package io.weir.benchmarks.postgres;

import io.weir.annotation.Algorithm;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.cold.Candidate;
import io.weir.benchmarks.cold.Costs;
import io.weir.benchmarks.cold.NewcomersRace;
import io.weir.benchmarks.redis.Newcomers;
import io.weir.benchmarks.redis.RedisCallers;
import io.weir.benchmarks.redis.WeirLimiter;
import io.weir.compat.redis.Distance;
import io.weir.compat.redis.RedisServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Requests that each come from a new caller, so that each needs its database. */
final class NewCallers {
  private static final int[] THREADS = {1, 8, 64};
  private static final long LIMIT = 100;
  private static final List<String> FIGURES =
      List.of("vs_upsert", "vs_redis", "p50_us", "p99_us", "cpu_vs_upsert");

  private NewCallers() {}

  static List<String> figures() {
    List<String> all = new ArrayList<>();
    for (Surroundings surroundings : Surroundings.values()) {
      for (int threads : THREADS) {
        FIGURES.forEach(each -> all.add(figure(surroundings, threads, each)));
      }
    }
    return all;
  }

  private static String figure(Surroundings surroundings, int threads, String what) {
    String number = threads + (threads == 1 ? "thread." : "threads.");
    return surroundings.figures() + ".cold." + number + what;
  }

  /**
   * Races the contenders.
   *
   * @param buckets a database for Weir, which is closed
   * @param byHand one for the statement, likewise
   */
  static void run(
      Database buckets, Database byHand, Surroundings surroundings, Effort effort, Report report)
      throws Exception {
    boolean first = surroundings == Surroundings.ASYNCHRONOUS; // the JVM is warm afterwards
    NewcomersRace race =
        new NewcomersRace(
            report,
            effort.of(1, 2, first ? 7 : 5),
            effort.of(50, 300, 1_000),
            effort.of(0, 4, first ? 24 : 6),
            THREADS);
    RedisServer redis = RedisServer.start();
    try (Distance toRedis = new Distance(redis.port(), surroundings.roundTrip());
        Candidate weir =
            new Candidate(buckets, () -> WeirOnPostgres.node(buckets, surroundings, LIMIT));
        Candidate upsert = new Candidate(byHand, () -> new Upsert(byHand, LIMIT));
        Candidate onRedis =
            new Candidate(
                new RedisCallers(redis),
                () ->
                    WeirLimiter.hard(
                        surroundings.roundTrip().isZero() ? redis.port() : toRedis.port(),
                        LIMIT,
                        Algorithm.SLIDING_WINDOW))) {
      Map<String, Newcomers> contenders = new LinkedHashMap<>();
      contenders.put("Weir on PostgreSQL", weir.newcomers());
      contenders.put("INSERT … ON CONFLICT", upsert.newcomers());
      contenders.put("Weir on Redis", onRedis.newcomers());
      race.run(
          "New callers, " + surroundings.name().toLowerCase(Locale.ROOT),
          contenders,
          (threads, costs) -> tell(surroundings, threads, costs, report));
    }
  }

  private static void tell(
      Surroundings surroundings, int threads, List<Costs> costs, Report report) {
    Costs weir = costs.get(0);
    Costs upsert = costs.get(1);
    report.figure(
        figure(surroundings, threads, "vs_upsert"), weir.perSecond().over(upsert.perSecond()), "x");
    report.figure(
        figure(surroundings, threads, "vs_redis"),
        weir.perSecond().over(costs.get(2).perSecond()),
        "x");
    report.figure(figure(surroundings, threads, "p50_us"), weir.p50(), "us");
    report.figure(figure(surroundings, threads, "p99_us"), weir.p99(), "us");
    report.figure(
        figure(surroundings, threads, "cpu_vs_upsert"), weir.cpu().over(upsert.cpu()), "x");
  }
}
