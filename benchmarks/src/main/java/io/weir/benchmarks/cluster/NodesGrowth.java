package io.weir.benchmarks.cluster;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Table;
import io.weir.simulation.oracle.Oracle;
import io.weir.testkit.cluster.NodeSettings;
import io.weir.testkit.cluster.Report;
import io.weir.testkit.cluster.SimulatedCluster;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures how cost depends on the number of nodes, in the simulated cluster: real limiters in one
 * thread on a simulated clock, with a simulated store and network.
 */
final class NodesGrowth {
  private static final int RUNS = 3;
  private static final int[] NODES = {1, 2, 4, 8, 16, 32};
  private static final List<String> COLUMNS =
      List.of(
          "nodes",
          "decisions",
          "exchanges a decision",
          "waited for the store",
          "used",
          "beyond the limit",
          "decisions a CPU second");

  private NodesGrowth() {}

  /** Returns the tables: the same load on more nodes, and more nodes with their load. */
  static List<Table> tables(Effort effort) {
    Limit fixed = Limit.perSecond(Algorithm.FIXED_WINDOW, 1_000, 1);
    Limit sliding = Limit.perSecond(Algorithm.SLIDING_WINDOW, 1_000, effort.of(2, 20, 60));
    int windows = effort.of(2, 10, 20);
    run(Cluster.NODES, fixed, NodeSettings.defaults(), Duration.ofSeconds(effort.of(0, 10, 60)));
    return List.of(
        table("Simulated: " + fixed + " offered 3 ×, on more nodes", effort, fixed, windows, false),
        table("Simulated: " + sliding + " offered 3 ×, on more nodes", effort, sliding, 1, false),
        table(
            "Simulated: " + SMALL + " offered 3 ×, for each node as much again",
            effort,
            SMALL,
            effort.of(1, 2, 4),
            true));
  }

  private static final Limit SMALL = Limit.perSecond(Algorithm.SLIDING_WINDOW, 100, 10);

  private static Table table(
      String title, Effort effort, Limit limit, int windows, boolean growing) {
    List<List<String>> rows = new ArrayList<>();
    for (int nodes : effort == Effort.TINY ? new int[] {1, 4} : NODES) {
      int times = growing ? nodes : 1;
      Limit grown = new Limit(limit.algorithm(), limit.permits() * times, limit.windowMicros());
      rows.add(row(nodes, grown, grown.window().multipliedBy(windows)));
    }
    return new Table(title, COLUMNS, rows);
  }

  private static List<String> row(int nodes, Limit limit, Duration length) {
    long cpu = cpu();
    Report report = run(nodes, limit, NodeSettings.defaults(), length);
    long least = cpu() - cpu;
    for (int again = 1; again < RUNS; again++) {
      cpu = cpu();
      run(nodes, limit, NodeSettings.defaults(), length);
      least = Math.min(least, cpu() - cpu);
    }
    Oracle oracle = new Oracle(report, OnStoreFailure.LOCAL);
    return List.of(
        "" + nodes,
        String.format(Locale.ROOT, "%,d", report.requests()),
        String.format(Locale.ROOT, "%.4f", report.exchangesPerRequest()),
        percent(report.waited() / (double) report.requests()),
        percent(oracle.use().orElse(1)),
        oracle.violations().isEmpty() ? "0" : oracle.violations().toString(),
        String.format(Locale.ROOT, "%,.0f", report.requests() * 1e9 / least));
  }

  // The same happens each time: the fastest run was disturbed least.
  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** Measures three times a limit, with requests spread evenly over all nodes. */
  static Report run(int nodes, Limit limit, NodeSettings settings, Duration length) {
    Policy policy = limit.policy(0);
    SimulatedCluster cluster =
        SimulatedCluster.builder()
            .nodes(nodes)
            .settings(settings)
            .load(Load.poisson(Caller.of(policy, "hot"), limit.offeredPerSecond()))
            .build();
    cluster.run(length);
    return cluster.report();
  }

  /** Returns a share as text. */
  static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * share);
  }
}
