package io.weir.metrics;

import io.weir.Outcome;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How often one policy admitted, marked or refused requests, as {@link DecisionCounts} counts them.
 *
 * <p>Immutable.
 *
 * @param outcomes decisions by outcome, each outcome present
 * @param degraded how many of them were decided without the store
 * @param overloaded how many of them refused because of the node's load
 */
public record PolicyCounts(Map<Outcome, Long> outcomes, long degraded, long overloaded) {
  static final PolicyCounts NONE = new PolicyCounts(Map.of(), 0, 0);

  /**
   * Fills up with zeros.
   *
   * @param outcomes see the record
   * @param degraded see the record
   * @param overloaded see the record
   */
  public PolicyCounts {
    Map<Outcome, Long> all = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      all.put(outcome, outcomes.getOrDefault(outcome, 0L));
    }
    outcomes = Collections.unmodifiableMap(all);
  }

  /**
   * How many decisions had an outcome.
   *
   * @param outcome what became of the requests
   * @return 0 and more
   */
  public long of(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }
}
