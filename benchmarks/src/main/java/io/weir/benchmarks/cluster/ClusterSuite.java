package io.weir.benchmarks.cluster;

import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Figure;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measures whether ten nodes hold a limit, how much of it they use, and how that depends on their
 * number.
 */
public final class ClusterSuite implements BenchmarkSuite {
  private static final String PERCENT = "percent";
  private static final List<String> CLUSTERS = List.of("hard", "ahead", "delaying");

  @Override
  public String name() {
    return "cluster";
  }

  @Override
  public String about() {
    return "Ten nodes on one Redis, offered three times their limit: Weir, Weir admitting up to 5 %"
        + " ahead of the store, and Bucket4j delaying at 100 ms.";
  }

  @Override
  public List<String> figures() {
    List<String> names = new ArrayList<>();
    names.add("cluster.hard.used");
    for (String each : CLUSTERS) {
      String name = "cluster." + each + ".";
      names.add(name + "overshoot");
      names.add(name + "exchanges");
      for (String limit : List.of("fixed", "sliding")) {
        names.add(name + limit + "_overshoot");
        names.add(name + limit + "_used");
      }
    }
    names.add("cluster.hard.of_no_window");
    names.add("cluster.hard.degraded");
    names.add("cluster.ahead.degraded");
    return names;
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    report.setting(
        "Nodes", Cluster.NODES + " limiters of one JVM, each with connections of its own");
    report.setting(
        "Overshoot",
        "the worst window, of what was decided with the store, degraded decisions apart");
    report.setting("Seen by", "their callers, who read the clock before and after each decision");
    Map<String, List<Verdict>> verdicts = new TreeMap<>();
    try (ClusterTrial trial = new ClusterTrial(effort)) {
      // The nodes need a window's time to know their share; meanwhile:
      NodesGrowth.tables(effort).forEach(report::table);
      report.table(FlushGrowth.table(effort));
      report.table(DistanceGrowth.table(effort));
      trial.run(report).forEach((name, tallies) -> verdicts.put(name, verdicts(name, tallies)));
    }
    tell(report, verdicts);
  }

  private static List<Verdict> verdicts(String cluster, List<LoadResult> tallies) {
    boolean marked = !cluster.equals("delaying");
    return tallies.stream().map(each -> Verdict.of(each, marked)).toList();
  }

  private static void tell(Report report, Map<String, List<Verdict>> verdicts) {
    List<List<String>> rows = new ArrayList<>();
    for (String cluster : CLUSTERS) {
      List<Verdict> both = verdicts.getOrDefault(cluster, List.of());
      both.forEach(each -> rows.add(each.row(cluster)));
      tell(report, "cluster." + cluster + ".", both);
    }
    report.table(new Table("Ten nodes, three times the limit", Verdict.COLUMNS, rows));
  }

  private static void tell(Report report, String name, List<Verdict> both) {
    double overshoot = 0;
    for (Verdict each : both) {
      String limit = name + each.tally().limit().word();
      report.figure(limit + "_overshoot", each.excess().percent(), PERCENT);
      report.figure(each.used(limit + "_used"));
      // Where the nearest that there is to a sliding window is a bucket, by what that promises.
      boolean bucket = name.endsWith("delaying.") && !each.tally().limit().fixed();
      overshoot = Math.max(overshoot, bucket ? each.beyondBucket() : each.excess().percent());
    }
    report.figure(name + "overshoot", overshoot, PERCENT);
    report.figure(name + "exchanges", exchanges(name, both), "per_decision");
    if (!name.endsWith("delaying.")) {
      double degraded = both.stream().mapToDouble(each -> each.tally().degraded()).sum();
      report.figure(name + "degraded", degraded, "decisions");
    }
    if (name.endsWith("hard.")) {
      long unplaced = both.stream().mapToLong(Verdict::unplaced).sum();
      report.figure(name + "of_no_window", (double) unplaced, "admissions");
      Figure worst =
          both.stream()
              .map(e -> e.used(name + "used"))
              .min(Comparator.comparing(Figure::value))
              .orElseThrow();
      report.figure(worst);
    }
  }

  private static double exchanges(String name, List<Verdict> both) {
    double decisions = both.stream().mapToLong(each -> each.tally().decisions()).sum();
    long each = both.stream().mapToLong(e -> e.tally().exchanges()).sum();
    // Bucket4j's server reports them for all limits together.
    return name.endsWith("delaying.") ? each / 2.0 / decisions : each / decisions;
  }
}
