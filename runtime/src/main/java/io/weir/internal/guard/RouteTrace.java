package io.weir.internal.guard;

import io.weir.adapter.LimitedEndpoint;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;

/** Collects where one request is decided. Safe for concurrent use, for calls in other threads. */
final class RouteTrace {
  /** A request that is dispatched more often isn't explained. */
  private static final int MAX_STEPS = 64;

  private final SeenRoutes seen;
  private final List<RouteStep> steps = new ArrayList<>();
  private boolean isWhole = true;

  RouteTrace(SeenRoutes seen) {
    this.seen = seen;
  }

  synchronized void note(
      LimitedEndpoint guard, DecisionPhase phase, RequestInfo request, boolean isCall) {
    if (steps.size() < MAX_STEPS) {
      try {
        RouteStep step = RouteStep.of(guard, phase, request, isCall);
        if (!isCall || !steps.contains(step)) { // a call in a loop is one
          steps.add(step);
        }
      } catch (RuntimeException | LinkageError unreadable) {
        isWhole = false; // the request goes on without this step
      }
    }
  }

  synchronized void refused() {
    isWhole = false;
  }

  /** Remembers the route at the end of the request. */
  synchronized void end(boolean hasSucceeded, boolean hasIssuer) {
    if (!steps.isEmpty() && steps.size() < MAX_STEPS) {
      seen.add(new Route(steps, hasSucceeded && isWhole, hasIssuer));
    }
  }
}
