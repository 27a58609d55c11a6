package io.weir;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The answer for one request: whether it is admitted, what is left, and when to come back.
 *
 * <p>A request that was decided by several policies has a {@linkplain #parts() part} for each; the
 * decision itself then speaks for the closest of them: the one that refused for longest, else the
 * one with the smallest share left. Policies that only watch (shadow) speak only among themselves.
 *
 * <p>Safe for concurrent use; only whether it was given back ever changes.
 */
public final class Decision {
  private static final AtomicIntegerFieldUpdater<Decision> GIVEN_BACK =
      AtomicIntegerFieldUpdater.newUpdater(Decision.class, "givenBack");

  private final Policy policy;
  private final Key key;
  private final Outcome outcome;
  private final Reason reason;
  private final boolean degraded;
  private final long limit;
  private final long remaining;
  private final long resetMicros;
  private final long retryMicros;
  private final long permits;
  private final long stamp;
  private final List<Decision> parts;

  @SuppressWarnings("UnusedVariable") // read and written through GIVEN_BACK
  private volatile int givenBack;

  Decision(DecisionBuilder from) {
    this.policy = from.policy;
    this.key = from.key;
    this.outcome = from.outcome;
    this.reason = from.reason;
    this.degraded = from.degraded;
    this.limit = from.limit;
    this.remaining = from.remaining;
    this.resetMicros = from.resetMicros;
    this.retryMicros = from.retryMicros;
    this.permits = from.permits;
    this.stamp = from.stamp;
    this.parts = List.of();
  }

  private Decision(Decision closest, List<Decision> parts) {
    this.policy = closest.policy;
    this.key = closest.key;
    this.outcome = closest.outcome;
    this.reason = closest.reason;
    this.degraded = parts.stream().anyMatch(Decision::degraded);
    this.limit = closest.limit;
    this.remaining = closest.remaining;
    this.resetMicros = closest.resetMicros;
    // The longest of those that refused, since it is the closest.
    this.retryMicros = closest.retryMicros;
    this.permits = 0;
    this.stamp = 0;
    this.parts = parts;
  }

  /**
   * Starts the decision of one policy; for those who write an engine or test what reads decisions.
   *
   * @param policy the policy that decided
   * @param key whom it counted
   * @return a builder of an admission with nothing left
   */
  public static DecisionBuilder builder(Policy policy, Key key) {
    return new DecisionBuilder(policy, key);
  }

  /**
   * Puts the decisions of several policies about one request together.
   *
   * @param decisions at least one; those with parts count as their parts
   * @return their only one, or one that speaks for all
   * @throws IllegalArgumentException if there is none
   */
  public static Decision of(List<Decision> decisions) {
    List<Decision> parts = decisions.stream().flatMap(each -> each.parts().stream()).toList();
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a decision has at least one part");
    }
    return parts.size() == 1 ? parts.get(0) : new Decision(closest(parts), parts);
  }

  private static Decision closest(List<Decision> parts) {
    // What only watches must not hide what the others say.
    Comparator<Decision> enforced = Comparator.comparing(part -> !part.policy.shadow());
    return parts.stream()
        .max(
            enforced
                .thenComparing(Decision::outcome)
                .thenComparingLong(part -> part.retryMicros)
                .thenComparingDouble(part -> -((double) part.remaining / part.limit)))
        .orElseThrow();
  }

  /**
   * Whether the request may go on.
   *
   * @return false if a policy refused
   */
  public boolean admitted() {
    return outcome.admitted();
  }

  /**
   * What became of the request.
   *
   * @return the outcome of the closest policy
   */
  public Outcome outcome() {
    return outcome;
  }

  /**
   * Why.
   *
   * @return the reason of the closest policy
   */
  public Reason reason() {
    return reason;
  }

  /**
   * Whether it was decided without the store, because that can't be reached.
   *
   * @return true if any part was
   */
  public boolean degraded() {
    return degraded;
  }

  /**
   * The policy that decided.
   *
   * @return the closest one
   */
  public Policy policy() {
    return policy;
  }

  /**
   * Whom it counted.
   *
   * @return the key of the closest policy
   */
  public Key key() {
    return key;
  }

  /**
   * The limit in force for this caller: the policy's, or its tier's.
   *
   * @return permits per window, 1 and more
   */
  public long limit() {
    return limit;
  }

  /**
   * What the caller may still take now, up to the limit.
   *
   * @return permits, 0 and more
   */
  public long remaining() {
    return remaining;
  }

  /**
   * How long until more than {@link #remaining()} permits are there, if nobody takes any: the end
   * of a fixed window, the next permit of a bucket.
   *
   * @return zero if the bucket is full
   */
  public Duration resetAfter() {
    return Duration.ofNanos(resetMicros * 1_000);
  }

  /**
   * How long until the same request, alone, is admitted.
   *
   * @return zero unless refused; of several policies that refused the longest. Where all policies
   *     only watch, what they would have said
   */
  public Duration retryAfter() {
    return Duration.ofNanos(retryMicros * 1_000);
  }

  /**
   * How many permits the request took from the bucket.
   *
   * @return 0 if it was refused or has parts
   */
  public long permits() {
    return permits;
  }

  /**
   * The store's mark of the window that the permits were taken from; opaque to everyone else.
   *
   * @return the grant's stamp
   */
  public long stamp() {
    return stamp;
  }

  /**
   * The decision of each policy.
   *
   * @return in the order asked; this one alone if a single policy decided
   */
  public List<Decision> parts() {
    return parts.isEmpty() ? List.of(this) : parts;
  }

  /**
   * Takes the permits out of this decision so that they can be given back; for engines. Users call
   * {@link RateLimiter#refund(Decision)}.
   *
   * @return what it took from its bucket the first time, 0 ever after
   */
  public long giveBack() {
    return permits > 0 && GIVEN_BACK.compareAndSet(this, 0, 1) ? permits : 0;
  }

  @Override
  public String toString() {
    return "%s by %s: %d of %d left, reset after %s, retry after %s%s"
        .formatted(
            outcome,
            policy.name(),
            remaining,
            limit,
            resetAfter(),
            retryAfter(),
            degraded ? ", degraded" : "");
  }
}
