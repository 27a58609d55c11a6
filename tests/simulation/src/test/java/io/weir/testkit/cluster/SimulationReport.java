package io.weir.testkit.cluster;

import io.weir.simulation.oracle.Violation;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The result of one seed.
 *
 * @param seed the seed
 * @param scenario what it drew
 * @param report what happened up to the end of the load
 * @param use the share of the limit that was used, where it can be said
 * @param violations the promises that were broken
 * @param events how many events it took
 */
record SimulationReport(
    long seed,
    Scenario scenario,
    Report report,
    OptionalDouble use,
    List<Violation> violations,
    long events) {
  @Override
  public String toString() {
    return "seed "
        + seed
        + ": "
        + report.requests()
        + " requests, "
        + report.admissions().size()
        + " admitted, "
        + report.degraded()
        + " degraded, "
        + report.exchanges()
        + " exchanges, use "
        + use
        + ", "
        + events
        + " events, mishaps "
        + new java.util.TreeMap<>(report.mishaps())
        + ", violations "
        + violations
        + ", "
        + scenario;
  }
}
