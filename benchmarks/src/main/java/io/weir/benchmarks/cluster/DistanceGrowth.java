package io.weir.benchmarks.cluster;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Table;
import io.weir.compat.redis.Distance;
import io.weir.compat.redis.RedisServer;
import io.weir.simulation.oracle.Oracle;
import io.weir.testkit.cluster.Report;
import io.weir.testkit.cluster.SimulatedCluster;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Measures what a store far away costs: ten nodes on a real Redis behind a port that delays each
 * byte, and simulated callers within a short limit, who wait for the store each time.
 */
final class DistanceGrowth {
  private static final int[] MILLIS = {0, 2, 5, 20, 50};
  private static final int CALLERS = 50;
  private static final List<String> COLUMNS =
      List.of(
          "round trip",
          "used",
          "beyond the limit",
          "exchanges a decision",
          "degraded",
          "median µs",
          "p99 µs",
          "callers within 10 per 1 s: exchanges a decision",
          "refused",
          "degraded, simulated",
          "longest wait");

  private DistanceGrowth() {}

  /** Returns the table. */
  static Table table(Effort effort) throws Exception {
    Limit limit = Limit.perSecond(Algorithm.FIXED_WINDOW, 1_000, 1);
    long load = effort.of(200_000, 2_400_000, 20_400_000);
    List<List<String>> rows = new ArrayList<>();
    try (RedisServer redis = RedisServer.start()) {
      for (int millis : effort == Effort.TINY ? new int[] {0, 20} : MILLIS) {
        List<String> row = new ArrayList<>(real(redis, millis, limit, load));
        row.addAll(simulated(millis, effort.of(2, 60, 600)));
        rows.add(row);
      }
    }
    return new Table(
        "Ten nodes, " + limit + " offered 3 ×, on a Redis so far away; simulated: one node",
        COLUMNS,
        rows);
  }

  private static List<String> real(RedisServer redis, int millis, Limit limit, long load)
      throws InterruptedException {
    try (Distance distance = new Distance(redis.port(), Duration.ofMillis(millis));
        WeirCluster cluster = new WeirCluster(distance.url(), "far" + millis, 0)) {
      for (int node = 0; node < Cluster.NODES; node++) {
        cluster.ask(node, limit, "meet");
      }
      LoadResult tally = Crowd.start(cluster, List.of(limit), "hot", load).tallies().get(0);
      LimitOracle promised = new LimitOracle(tally.withStore(), limit, true);
      DoubleStream used = promised.used(tally.from(), tally.to()).stream().mapToDouble(e -> e);
      return List.of(
          millis + " ms",
          String.format(Locale.ROOT, "%.2f %%", used.average().orElse(0)),
          String.format(Locale.ROOT, "%.2f %%", promised.excess().percent()),
          String.format(Locale.ROOT, "%.4f", (double) tally.exchanges() / tally.decisions()),
          "" + tally.degraded(),
          "" + tally.waits().median(),
          "" + tally.waits().p99());
    }
  }

  private static List<String> simulated(int millis, int seconds) {
    Policy few =
        Policy.builder("few")
            .limit(10)
            .window(Duration.ofSeconds(1))
            .onStoreFailure(OnStoreFailure.CLOSED)
            .build();
    List<Load> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      Caller caller = Caller.of(few, "caller " + i);
      callers.add(Load.bursts(caller, 3, Duration.ofMillis(400), Duration.ofMillis(1_000 + i)));
    }
    SimulatedCluster cluster =
        SimulatedCluster.builder()
            .nodes(1)
            .network(Duration.ofMillis(millis), Duration.ofNanos(50_000))
            .load(Load.together(callers))
            .build();
    PermitRequest first = new PermitRequest(few, Key.of("first")); // as a warmed-up node has asked
    cluster.request(0, List.of(first), unused -> {});
    cluster.run(Duration.ofSeconds(seconds));
    Report report = cluster.report();
    List<?> broken = new Oracle(report, OnStoreFailure.CLOSED).violations();
    return List.of(
        String.format(Locale.ROOT, "%.4f", report.exchangesPerRequest()),
        broken.isEmpty() ? "" + report.refused() : broken.toString(),
        "" + report.degraded(),
        report.longestWaitMicros() / 1_000 + " ms");
  }
}
