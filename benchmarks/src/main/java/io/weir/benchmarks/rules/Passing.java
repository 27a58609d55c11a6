package io.weir.benchmarks.rules;

import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedRequest;
import io.weir.spi.DecisionPhase;
import java.util.Map;

/** Leads requests through the guard as adapters do, and back. */
final class Passing {
  /** So that a busy machine decides nothing by itself. */
  static final Map<String, String> PATIENT = Map.of("weir.store.timeout", "10s");

  private Passing() {}

  /**
   * One request.
   *
   * @throws IllegalStateException if it is refused, or was decided without all that belongs to it
   */
  static void pass(GuardedEndpoint endpoint, UserCall call) {
    if (endpoint.isEmpty()) {
      return;
    }
    GuardedRequest request = endpoint.enter(call);
    boolean isRefused =
        request.decide(DecisionPhase.BEFORE_AUTHENTICATION).isPresent()
            || request.decide(DecisionPhase.AFTER_AUTHENTICATION).isPresent();
    if (isRefused || request.isDecided() && request.decision().degraded()) {
      throw new IllegalStateException("refused or degraded: " + call + " " + request.decision());
    }
    request.completed(200);
  }
}
