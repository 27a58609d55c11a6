package io.weir.internal.control.admin.outcomes;

import io.weir.rules.outcome.CurrentOutcomes;
import io.weir.rules.outcome.OutcomeRates;
import io.weir.rules.outcome.PolicyRates;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps what all nodes decided in the last 15 minutes, so that a page can begin with it. It is kept
 * by this process since its start. Bounded: 180 sums, each with the 100 busiest policies.
 *
 * <p>Safe for concurrent use.
 */
public final class RecentOutcomes {
  private static final Duration KEPT = Duration.ofMinutes(15);
  private static final int MAX_POINTS = 180;
  private static final int MAX_POLICIES = 100;

  private final Deque<OutcomesPoint> points = new ArrayDeque<>();

  /** Adds the sums of a moment, whose policies are the busiest first. */
  public synchronized void add(CurrentOutcomes now) {
    // the database's clock may have been set back
    points.removeIf(
        each -> !each.at().isBefore(now.at()) || each.at().isBefore(now.at().minus(KEPT)));
    if (points.size() == MAX_POINTS) {
      points.removeFirst();
    }
    Map<String, OutcomeRates> busiest = new HashMap<>();
    for (PolicyRates each : now.policies()) {
      if (busiest.size() == MAX_POLICIES) {
        break;
      }
      busiest.put(each.policy(), each.rates());
    }
    points.addLast(new OutcomesPoint(now.at(), now.totals(), busiest));
  }

  /** Returns the sums, the oldest first. */
  synchronized List<OutcomesPoint> points() {
    return List.copyOf(points);
  }
}
