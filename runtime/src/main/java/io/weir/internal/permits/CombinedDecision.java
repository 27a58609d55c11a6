package io.weir.internal.permits;

import io.weir.Decision;
import java.util.List;

/** Finds the decision that speaks for several about one request. */
final class CombinedDecision {
  private CombinedDecision() {}

  /** The one that refused for longest, else the one with the smallest share left. */
  static RequestDecision of(List<Decision> parts) {
    RequestDecision closest = RequestDecision.cast(parts.get(0));
    for (Decision each : parts) {
      RequestDecision part = RequestDecision.cast(each);
      closest = compare(part, closest) > 0 ? part : closest;
    }
    return closest;
  }

  private static int compare(RequestDecision one, RequestDecision other) {
    // A policy in shadow mode must not hide what the others decide.
    if (one.policy().shadow() != other.policy().shadow()) {
      return other.policy().shadow() ? 1 : -1;
    }
    int byOutcome = one.outcome().compareTo(other.outcome());
    if (byOutcome != 0) {
      return byOutcome;
    }
    int byRetry = Long.compare(one.retryMicros(), other.retryMicros());
    return byRetry != 0 ? byRetry : Double.compare(shareLeft(other), shareLeft(one));
  }

  private static double shareLeft(RequestDecision decision) {
    return (double) decision.remaining() / decision.limit();
  }
}
