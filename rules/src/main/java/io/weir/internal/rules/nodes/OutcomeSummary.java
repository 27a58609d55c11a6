package io.weir.internal.rules.nodes;

import io.weir.internal.rules.outcomes.IntervalOutcomes;
import io.weir.internal.rules.outcomes.OutcomeSums;
import io.weir.rules.outcome.CurrentOutcomes;
import io.weir.rules.outcome.HourlyOutcomes;
import io.weir.rules.outcome.OutcomeRates;
import io.weir.rules.outcome.PolicyRates;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sums up the reports of nodes, and notes the missing parts.
 *
 * <p>Confine to one thread.
 */
final class OutcomeSummary {
  /** A node that hasn't reported for so long is silent. */
  static final Duration SILENT = Duration.ofSeconds(15);

  private static final Comparator<PolicyRates> BUSIEST_FIRST =
      Comparator.<PolicyRates>comparingDouble(each -> each.rates().decisions())
          .reversed()
          .thenComparing(PolicyRates::policy);

  private final Instant at;
  private final Map<String, OutcomeRates> policies = new HashMap<>();
  private final List<String> notes = new ArrayList<>();
  private OutcomeRates totals = OutcomeRates.NONE;
  private Duration oldest = Duration.ZERO;
  private int nodes;
  private int silentNodes;
  private int olderNodes;
  private long leftOut;
  private boolean isComplete = true;

  /**
   * Begins without nodes.
   *
   * @param at when the reports were read
   */
  OutcomeSummary(Instant at) {
    this.at = at;
  }

  /** Adds the report of a node, if that isn't too old. */
  void add(NodeReport report) {
    Duration age = Duration.between(report.status().seenAt(), at);
    if (age.compareTo(SILENT) > 0) {
      silentNodes++;
      return;
    }
    nodes++;
    oldest = age.compareTo(oldest) > 0 ? age : oldest;
    if (!report.status().mayWrite()) {
      isComplete = false;
      report.status().note().ifPresent(this::note);
    }
    if (report.interval().isEmpty()) {
      olderNodes++;
    } else {
      add(report.interval().get());
    }
  }

  private void add(IntervalOutcomes interval) {
    long millis = interval.millis();
    if (millis <= 0) {
      return; // it has just started
    }
    totals = totals.plus(interval.totals().perSecond(millis));
    for (Map.Entry<String, OutcomeSums> each : interval.policies().entrySet()) {
      policies.merge(each.getKey(), each.getValue().perSecond(millis), OutcomeRates::plus);
    }
    leftOut += interval.leftOut();
  }

  /** Adds a note for people; the sums are as complete as before. */
  void note(String note) {
    notes.add(note);
  }

  CurrentOutcomes sums() {
    if (olderNodes > 0) {
      isComplete = false;
      note(nodes(olderNodes) + " of an older version of Weir, which doesn't report outcomes.");
    }
    if (leftOut > 0) {
      isComplete = false;
      note(
          "The totals have all policies; the list lacks the least busy ones, "
              + leftOut
              + " in all, since a report has room for about 1,000.");
    }
    if (policies.containsKey(HourlyOutcomes.OTHERS)) {
      isComplete = false;
      note("A node has more than 10,000 policies; it counts the others together, as '*'.");
    }
    List<PolicyRates> sorted = new ArrayList<>();
    policies.forEach((policy, rates) -> sorted.add(new PolicyRates(policy, rates)));
    sorted.sort(BUSIEST_FIRST);
    return new CurrentOutcomes(
        at,
        nodes,
        silentNodes,
        oldest,
        isComplete,
        totals,
        sorted,
        notes.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", notes)));
  }

  private static String nodes(int number) {
    return number == 1 ? "1 node is" : number + " nodes are";
  }
}
