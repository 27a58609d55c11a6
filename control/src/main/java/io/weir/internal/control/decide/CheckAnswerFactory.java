package io.weir.internal.control.decide;

import io.weir.CheckResult;
import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Reason;
import io.weir.Ticker;
import io.weir.internal.control.decide.CheckAnswer.PolicyAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Converts decisions to answers, with times in whole seconds, rounded up. Immutable. */
final class CheckAnswerFactory {
  private final Ticker ticker;

  CheckAnswerFactory(Ticker ticker) {
    this.ticker = ticker;
  }

  CheckAnswer of(CheckResult checked) {
    return checked.decision().map(this::of).orElseGet(() -> unmatched(checked.degraded()));
  }

  private static CheckAnswer unmatched(boolean degraded) {
    return new CheckAnswer(
        true, false, null, null, 0, null, false, false, false, degraded, List.of());
  }

  private CheckAnswer of(Decision decision) {
    if (isDenied(decision)) {
      return denied(decision);
    }
    List<PolicyAnswer> policies = new ArrayList<>(decision.parts().size());
    for (Decision part : decision.parts()) {
      policies.add(
          new PolicyAnswer(
              part.policy().name(),
              part.admitted(),
              part.limit(),
              remaining(part),
              resetTime(part),
              part.outcome() == Outcome.SHADOW_REFUSED));
    }
    return new CheckAnswer(
        decision.admitted(),
        true,
        decision.limit(),
        remaining(decision),
        resetTime(decision),
        decision.admitted() || decision.neverAdmitted()
            ? null
            : Math.max(1, seconds(decision.retryAfter())),
        decision.neverAdmitted(),
        false,
        !decision.admitted() && decision.reason() == Reason.BANNED,
        decision.degraded(),
        policies);
  }

  static boolean isDenied(Decision decision) {
    return !decision.admitted() && decision.reason() == Reason.DENIED;
  }

  /** Returns the decisions of limits; none about a denied caller. */
  static List<Decision> parts(CheckResult checked) {
    return checked
        .decision()
        .filter(decision -> !isDenied(decision))
        .map(Decision::parts)
        .orElse(List.of());
  }

  private static CheckAnswer denied(Decision decision) {
    List<PolicyAnswer> list =
        List.of(new PolicyAnswer(decision.policy().name(), false, 0, 0, 0, false));
    return new CheckAnswer(
        false, true, 0L, 0L, 0, null, false, true, false, decision.degraded(), list);
  }

  /** Caps the remaining permits at the limit: callers can't count on the excess. */
  static long remaining(Decision part) {
    return Math.min(part.remaining(), part.limit());
  }

  /** Returns when more permits are available, in seconds since 1970. */
  long resetTime(Decision part) {
    return resetTime(part.resetAfter());
  }

  /** Returns when a time will have passed, in seconds since 1970. */
  long resetTime(Duration after) {
    long micros = ticker.epochMicros() + after.toNanos() / 1_000;
    return Math.floorDiv(micros + 999_999, 1_000_000L);
  }

  private static long seconds(Duration time) {
    return time.getNano() == 0 ? time.getSeconds() : time.getSeconds() + 1;
  }
}
