package io.weir.metrics;

import io.weir.Outcome;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The decisions of one policy, counted by {@link DecisionCounts}.
 *
 * <p>Immutable.
 *
 * @param outcomes the number of decisions for each outcome
 * @param degraded the number of decisions without the store
 * @param overloaded the number of refusals because of the node's load
 */
public record PolicyCounts(Map<Outcome, Long> outcomes, long degraded, long overloaded) {
  static final PolicyCounts NONE = new PolicyCounts(Map.of(), 0, 0);

  /**
   * Adds missing outcomes with 0.
   *
   * @param outcomes the number of decisions for each outcome
   * @param degraded the number of decisions without the store
   * @param overloaded the number of refusals because of the node's load
   */
  public PolicyCounts {
    Map<Outcome, Long> all = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      all.put(outcome, outcomes.getOrDefault(outcome, 0L));
    }
    outcomes = Collections.unmodifiableMap(all);
  }

  /**
   * Returns the number of decisions with an outcome.
   *
   * @param outcome the outcome
   * @return 0 and more
   */
  public long of(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }
}
