package io.weir.testkit.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The results of many seeds. Safe for concurrent use. */
final class Tally {
  private final Map<String, Map<String, Integer>> drawn = new TreeMap<>();
  private final List<String> failures = new ArrayList<>();
  private long requests;
  private long exchanges;
  private long degraded;
  private long fewestWindows = Long.MAX_VALUE;
  private long fewestFaults = Long.MAX_VALUE;
  private double use;
  private int uses;
  private int seeds;

  synchronized void add(SimulationReport run) {
    seeds++;
    Scenario scenario = run.scenario();
    scenario.drawn().forEach(this::drew);
    run.report().mishaps().forEach((mishap, times) -> drew("mishap", mishap.name()));
    Report report = run.report();
    requests += report.requests();
    exchanges += report.exchanges();
    degraded += report.degraded();
    fewestWindows = Math.min(fewestWindows, scenario.windows);
    fewestFaults = Math.min(fewestFaults, scenario.faults.mishaps().size());
    if (run.use().isPresent() && scenario.demand() >= 3) {
      use += Math.min(1, run.use().getAsDouble());
      uses++;
    }
    if (!run.violations().isEmpty()) {
      failures.add(run.toString());
    }
  }

  private void drew(String what, String values) {
    for (String value : values.split("\\+")) {
      drawn.computeIfAbsent(what, missing -> new TreeMap<>()).merge(value, 1, Integer::sum);
    }
  }

  int times(String what, String value) {
    return drawn.getOrDefault(what, Map.of()).getOrDefault(value, 0);
  }

  /** Returns the number of seeds that were run. */
  int seeds() {
    return seeds;
  }

  List<String> failures() {
    return failures;
  }

  long fewestWindows() {
    return fewestWindows;
  }

  long fewestFaults() {
    return fewestFaults;
  }

  /** The share of the limit that was used, on average. */
  double use() {
    return use / uses;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%d seeds: %d requests, %.3f exchanges each, %d degraded, use %.2f %% (%d seeds)%n",
            seeds,
            requests,
            exchanges / (double) requests,
            degraded,
            100 * use(),
            uses));
    drawn.forEach((what, values) -> text.append("  %s: %s%n".formatted(what, values)));
    return text.toString();
  }
}
