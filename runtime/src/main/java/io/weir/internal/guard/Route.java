package io.weir.internal.guard;

import java.util.List;

/**
 * Lists where a request was decided, in order.
 *
 * @param steps the places, at least one
 * @param isWhole whether the request passed all of them and succeeded; others may have ended before
 *     they were decided everywhere
 * @param hasIssuer whether its user's name came with an issuer
 */
record Route(List<RouteStep> steps, boolean isWhole, boolean hasIssuer) {
  Route {
    steps = List.copyOf(steps);
  }

  boolean leadsTo(String endpoint, String method) {
    return steps.stream()
        .anyMatch(
            each ->
                !each.isCall()
                    && each.endpoint().equals(endpoint)
                    && (method.isEmpty() || each.method().equals(method)));
  }
}
