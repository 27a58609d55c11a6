package io.weir.internal.http;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.Ticker;
import java.time.Duration;

/**
 * What a caller has left under the closest of its policies, in the units of HTTP.
 *
 * <p>Immutable.
 */
final class CallerQuota {
  private final Decision decision;
  private final Ticker ticker;
  private final Duration resetAfter;

  CallerQuota(Decision decision, Ticker ticker) {
    this.decision = decision;
    this.ticker = ticker;
    this.resetAfter = decision.resetAfter();
  }

  Policy policy() {
    return decision.policy();
  }

  /** Permits per window in force for this caller. */
  long limit() {
    return decision.limit();
  }

  /**
   * Permits left, at most the limit: a burst above it, or a SOFT policy's excess, is nothing that a
   * caller may plan with.
   */
  long remaining() {
    return Math.min(decision.remaining(), decision.limit());
  }

  /** In how many seconds the caller has more, rounded up. */
  long resetSeconds() {
    return WholeSeconds.ceil(resetAfter);
  }

  /** When the caller has more, in seconds since the epoch, rounded up. */
  long resetEpochSeconds() {
    return WholeSeconds.ceilMicros(ticker.epochMicros() + resetAfter.toNanos() / 1_000);
  }
}
