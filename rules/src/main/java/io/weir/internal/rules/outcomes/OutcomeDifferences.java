package io.weir.internal.rules.outcomes;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads counters again and again, and returns the counts added since the last time. Each reader has
 * its own, so that they don't take anything from each other.
 *
 * <p>Confine to one thread.
 */
public final class OutcomeDifferences {
  private final OutcomeCounters counters;
  private final Map<OutcomeCounter, OutcomeSums> last = new HashMap<>();

  /** Begins with the counts from the start on. */
  public OutcomeDifferences(OutcomeCounters counters) {
    this.counters = counters;
  }

  /**
   * Returns the decisions since the last call.
   *
   * @return by the name of the policy; only policies that have decided something. {@value
   *     io.weir.rules.outcome.HourlyOutcomes#OTHERS} has those that weren't counted one by one
   */
  public Map<String, OutcomeSums> next() {
    Map<String, OutcomeSums> added = new TreeMap<>();
    for (OutcomeCounter each : counters.all()) {
      add(each, added);
    }
    add(counters.others(), added);
    return added;
  }

  private void add(OutcomeCounter counter, Map<String, OutcomeSums> added) {
    OutcomeSums now = counter.read();
    OutcomeSums before = last.getOrDefault(counter, OutcomeSums.NONE);
    if (!now.equals(before)) {
      last.put(counter, now);
      added.put(counter.policy(), now.minus(before));
    }
  }
}
