package io.weir.internal.http;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.internal.permits.RequestDecision;

/**
 * A caller's limit, the permits left and the time of the next one, under the closest of its
 * policies and in the units of HTTP.
 *
 * <p>Immutable.
 */
final class CallerQuota {
  private final Decision decision;
  private final Ticker ticker;
  private final long resetMicros;

  CallerQuota(Decision decision, Ticker ticker) {
    this.decision = decision;
    this.ticker = ticker;
    this.resetMicros = RequestDecision.cast(decision).resetMicros();
  }

  Policy policy() {
    return decision.policy();
  }

  /** Returns the caller's limit in permits per window. */
  long limit() {
    return decision.limit();
  }

  /**
   * Returns the permits left, at most the limit: callers shouldn't rely on a burst above it, or on
   * the excess of a SOFT policy.
   */
  long remaining() {
    return Math.min(decision.remaining(), decision.limit());
  }

  /** Returns the seconds until the caller has more permits, rounded up. */
  long resetSeconds() {
    return WholeSeconds.roundUpMicros(resetMicros);
  }

  /** Returns when the caller has more permits, in seconds since the epoch, rounded up. */
  long resetEpochSeconds() {
    return WholeSeconds.roundUpMicros(ticker.epochMicros() + resetMicros);
  }
}
