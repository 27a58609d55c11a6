package io.weir.metrics;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.internal.permits.RequestDecision;
import java.time.Duration;

/** Decisions for tests of metrics. */
final class DecisionsOf {
  private DecisionsOf() {}

  static Decision decision(String policy, Outcome outcome, boolean degraded, Key key) {
    return decision(policy, outcome, Reason.WITHIN_LIMIT, degraded, key);
  }

  static Decision decision(
      String policy, Outcome outcome, Reason reason, boolean degraded, Key key) {
    Policy any = Policy.builder(policy).limit(1).window(Duration.ofSeconds(1)).build();
    return RequestDecision.builder(any, key).outcome(outcome, reason).degraded(degraded).build();
  }
}
