package io.weir.internal.permits;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Builds the decision of one policy.
 *
 * <p>Confine to one thread.
 */
public final class RequestDecisionBuilder {
  private final Policy policy;
  private final Key key;
  private final @Nullable RegionPart part;
  private Outcome outcome = Outcome.ADMITTED;
  private Reason reason = Reason.WITHIN_LIMIT;
  private boolean degraded;
  private boolean free;
  private long limit;
  private long remaining;
  private long resetMicros;
  private long retryMicros;
  private long permits;
  private long cost = 1;
  private long stamp;

  RequestDecisionBuilder(Policy policy, Key key, @Nullable RegionPart part) {
    this.policy = policy;
    this.key = key;
    this.part = part;
    this.limit = policy.limit();
  }

  public RequestDecisionBuilder outcome(Outcome what, Reason why) {
    this.outcome = what;
    this.reason = why;
    return this;
  }

  /** Sets the limit reported to the caller, 1 and more, and the remaining permits. */
  public RequestDecisionBuilder remaining(long reported, long left) {
    this.limit = reported;
    this.remaining = left;
    return this;
  }

  /**
   * Sets the times, in microseconds.
   *
   * @param reset the time until more is left
   * @param retry the time until the request would be admitted
   */
  public RequestDecisionBuilder after(long reset, long retry) {
    this.resetMicros = reset;
    this.retryMicros = retry;
    return this;
  }

  /** Sets the permits that the request asked for, 1 and more; matters only if it took none. */
  public RequestDecisionBuilder cost(long asked) {
    this.cost = asked;
    return this;
  }

  public RequestDecisionBuilder taken(long taken, long mark) {
    this.permits = taken;
    this.stamp = mark;
    return this;
  }

  public RequestDecisionBuilder degraded(boolean withoutStore) {
    this.degraded = withoutStore;
    return this;
  }

  /** Sets whether the request took no permits. */
  public RequestDecisionBuilder free(boolean nothing) {
    this.free = nothing;
    return this;
  }

  /**
   * Validates.
   *
   * @throws IllegalArgumentException if the limit is out of range, or the request took permits but
   *     has a time to retry after
   */
  public Decision build() {
    if (permits > 0 && retryMicros > 0) {
      throw new IllegalArgumentException("a request that took permits has no retryAfter");
    }
    boolean took = permits > 0;
    RequestTerms terms =
        new RequestTerms(policy, took ? permits : cost, limit, limit, limit, 0, 0, part);
    int flags =
        (took ? RequestDecision.TAKEN : 0)
            | (degraded ? RequestDecision.DEGRADED : 0)
            | (free ? RequestDecision.FREE : 0);
    long stampOrRetry = took ? stamp : retryMicros;
    return new RequestDecision(
        terms, key, outcome, reason, flags, remaining, resetMicros, stampOrRetry);
  }
}
