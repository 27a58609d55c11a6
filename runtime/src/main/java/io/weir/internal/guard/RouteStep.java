package io.weir.internal.guard;

import io.weir.adapter.LimitedEndpoint;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;

/**
 * Describes where a request was decided, without anything that its caller chose but the path.
 *
 * @param guard the policies that were bound there
 * @param isCall whether a call of a method within the request was decided
 */
record RouteStep(
    LimitedEndpoint guard,
    DecisionPhase phase,
    String method,
    String answeredMethod,
    String endpoint,
    String mapping,
    boolean hasTemplate,
    boolean isCall) {
  /** Returns whether the request was at the same endpoint. */
  boolean isWhere(RouteStep other) {
    return guard.equals(other.guard) && endpoint.equals(other.endpoint);
  }

  static RouteStep of(
      LimitedEndpoint guard, DecisionPhase phase, RequestInfo request, boolean isCall) {
    return new RouteStep(
        guard,
        phase,
        request.method(),
        request.answeredMethod(),
        request.endpoint(),
        request.mapping(),
        request.hasTemplate(),
        isCall);
  }
}
