package io.weir.benchmarks.cluster;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Samples;
import io.weir.benchmarks.Table;
import io.weir.simulation.oracle.Oracle;
import io.weir.testkit.cluster.NodeSettings;
import io.weir.testkit.cluster.Report;
import io.weir.testkit.cluster.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures how cost depends on the flush interval: simulated with ten nodes, and with one node on a
 * real Redis.
 */
final class FlushGrowth {
  private static final int[] MILLIS = {10, 20, 50, 100, 200, 500, 1_000};
  private static final List<String> COLUMNS =
      List.of(
          "flush interval",
          "exchanges a decision",
          "waited for the store",
          "used",
          "beyond the limit",
          "idle permits back after",
          "real: decisions a second",
          "spread",
          "real: exchanges a decision",
          "real: degraded");

  private FlushGrowth() {}

  /** Returns the table. */
  static Table table(Effort effort) throws Exception {
    int[] intervals = effort == Effort.TINY ? new int[] {10, 100} : MILLIS;
    List<HotKeys.Measured> real = HotKeys.measure(effort, intervals);
    Limit limit = Limit.perSecond(Algorithm.SLIDING_WINDOW, 1_000, effort.of(2, 20, 60));
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < intervals.length; i++) {
      rows.add(row(Duration.ofMillis(intervals[i]), limit, real.get(i)));
    }
    return new Table(
        "Simulated: "
            + limit
            + " offered 3 ×, on ten nodes; real: one node, two threads, 100 keys that never run"
            + " out",
        COLUMNS,
        rows);
  }

  private static List<String> row(Duration interval, Limit limit, HotKeys.Measured real) {
    Report report = NodesGrowth.run(Cluster.NODES, limit, settings(interval), limit.window());
    Oracle oracle = new Oracle(report, OnStoreFailure.LOCAL);
    Samples perSecond = real.perSecond();
    return List.of(
        interval.toMillis() + " ms",
        String.format(Locale.ROOT, "%.4f", report.exchangesPerRequest()),
        NodesGrowth.percent(report.waited() / (double) report.requests()),
        NodesGrowth.percent(oracle.use().orElse(1)),
        oracle.violations().isEmpty() ? "0" : oracle.violations().toString(),
        idleFor(interval) + " ms",
        String.format(Locale.ROOT, "%,.0f", perSecond.median()),
        String.format(Locale.ROOT, "%,.0f – %,.0f", perSecond.low(), perSecond.high()),
        String.format(Locale.ROOT, "%.6f", real.exchangesPerDecision().median()),
        String.format(Locale.ROOT, "%,d", real.degraded()));
  }

  private static NodeSettings settings(Duration interval) {
    NodeSettings usual = NodeSettings.defaults();
    return new NodeSettings(
        interval, usual.storeTimeout(), usual.maxBuckets(), usual.nodes(), usual.onStoreFailure());
  }

  private static final int MIN_BUSY_MILLIS = 7_000;
  private static final int PHASES = 7;
  private static final int PHASE_MILLIS = 137;
  private static final int EACH_MILLI = 2;
  private static final Limit LITTLE = Limit.perSecond(Algorithm.SLIDING_WINDOW, 400, 60);

  /**
   * Returns the longest time for which a busy node that stops dead keeps permits that others need.
   */
  private static long idleFor(Duration interval) {
    long longest = 0;
    for (int phase = 1; phase <= PHASES; phase++) {
      longest = Math.max(longest, idleFor(interval, MIN_BUSY_MILLIS + phase * PHASE_MILLIS));
    }
    return longest;
  }

  private static long idleFor(Duration interval, int busyMillis) {
    SimulatedCluster cluster =
        SimulatedCluster.builder().nodes(1).settings(settings(interval)).build();
    PermitRequest ask = new PermitRequest(LITTLE.policy(0), Key.of("k"));
    for (int i = 0; i < busyMillis * EACH_MILLI; i++) {
      cluster.request(0, List.of(ask), decision -> {});
      cluster.run(Duration.ofNanos(1_000_000 / EACH_MILLI));
    }
    long millis = 0;
    while (!cluster.idle(Duration.ZERO).isEmpty()) {
      cluster.run(Duration.ofMillis(1));
      millis++;
    }
    return millis;
  }
}
