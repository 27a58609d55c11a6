package io.weir.internal.permits;

import io.weir.Decision;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Combines the decisions of several policies about one request: the closest of them, which refused
 * for longest or else has the smallest share left, speaks for all.
 *
 * <p>Loops without iterators, since each request of several policies is combined.
 */
public final class DecisionCombiner {
  private DecisionCombiner() {}

  /**
   * Combines the decisions of all policies of a request; a combined one counts as its parts.
   *
   * @return the only part, or a decision that speaks for all
   * @throws IllegalArgumentException if there is none
   */
  public static Decision of(List<Decision> decisions) {
    List<Decision> parts = parts(decisions);
    return parts.size() == 1
        ? parts.get(0)
        : new RequestDecision(closest(parts), parts, anyDegraded(parts));
  }

  /**
   * Combines decisions about a request for which not all policies were known; a combined one counts
   * as its parts.
   *
   * @return a degraded decision that speaks for all
   * @throws IllegalArgumentException if there is none
   */
  public static Decision incomplete(List<Decision> decisions) {
    List<Decision> parts = parts(decisions);
    return new RequestDecision(closest(parts), parts, true);
  }

  /**
   * Makes a refused caller wait at least some microseconds from now.
   *
   * @param refusal a refusal by one of Weir's limiters
   */
  public static Decision retriedAfter(Decision refusal, long micros) {
    RequestDecision closest = closest(refusal.parts());
    if (micros <= closest.retryMicros()) {
      return refusal;
    }
    List<Decision> parts = new ArrayList<>(refusal.parts());
    parts.set(parts.indexOf(closest), closest.retriedAfter(micros));
    return of(parts);
  }

  private static List<Decision> parts(List<Decision> decisions) {
    List<Decision> parts = new ArrayList<>(decisions.size());
    for (int i = 0; i < decisions.size(); i++) {
      Decision each = decisions.get(i);
      if (each instanceof RequestDecision own && !own.isCombined()) {
        parts.add(own); // without the list of one that parts() would make
      } else {
        parts.addAll(each.parts());
      }
    }
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a decision has at least one part");
    }
    return Collections.unmodifiableList(parts);
  }

  private static boolean anyDegraded(List<Decision> parts) {
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).degraded()) {
        return true;
      }
    }
    return false;
  }

  private static RequestDecision closest(List<Decision> parts) {
    RequestDecision closest = RequestDecision.cast(parts.get(0));
    for (int i = 1; i < parts.size(); i++) {
      RequestDecision part = RequestDecision.cast(parts.get(i));
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
