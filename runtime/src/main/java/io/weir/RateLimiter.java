package io.weir;

import io.weir.internal.engine.DefaultRateLimiterBuilder;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Decides which requests are admitted.
 *
 * <p>The adapters for JAX-RS, servlets and AspectJ use it for what is annotated; it serves by hand
 * just as well:
 *
 * <pre>{@code
 * Policy policy = Policy.builder("signup").limit(5).window(Duration.ofMinutes(1)).build();
 * try (RateLimiter limiter = RateLimiter.inProcess()) {
 *   Decision decision = limiter.tryAcquire(policy, Key.of(tenant));
 *   if (!decision.admitted()) {
 *     throw new TryLater(decision.retryAfter());
 *   }
 * }
 * }</pre>
 *
 * <p>No method waits for permits: what can't be admitted now is refused. No method fails because of
 * the limiter's own trouble: what can't be decided with the store is decided without it, as the
 * policy says, and marked {@link Decision#degraded()}.
 *
 * <p>Safe for concurrent use.
 */
public interface RateLimiter extends AutoCloseable {
  /**
   * A limiter that counts in this process, with the machine's clock.
   *
   * @return a limiter that the caller closes
   */
  static RateLimiter inProcess() {
    return builder().build();
  }

  /**
   * Starts a limiter of own parts; each has its default until it is given.
   *
   * @return a builder
   */
  static RateLimiterBuilder builder() {
    return new DefaultRateLimiterBuilder();
  }

  /**
   * Takes the policy's cost from the caller's bucket, or refuses. Waits for the store, if it has to
   * be asked, at most for the store time-out.
   *
   * @param policy the policy that decides
   * @param key whom it counts
   * @return what was decided
   */
  default Decision tryAcquire(Policy policy, Key key) {
    return tryAcquire(List.of(new PermitRequest(policy, key)));
  }

  /**
   * Takes permits from the caller's bucket, all of them or none.
   *
   * @param policy the policy that decides
   * @param key whom it counts
   * @param permits 1 and more
   * @return what was decided
   */
  default Decision tryAcquire(Policy policy, Key key, long permits) {
    return tryAcquire(List.of(new PermitRequest(policy, key, permits, policy.limit())));
  }

  /**
   * Decides several at once, all or nothing: if one policy refuses, none is charged.
   *
   * @param asks at least one
   * @return one decision with a {@linkplain Decision#parts() part} for each
   */
  Decision tryAcquire(List<PermitRequest> asks);

  /**
   * Decides several at once without waiting for anything.
   *
   * <p>What is attached to the stage may run on a thread that serves the store, so it must not wait
   * either; hand longer work to an executor, as with {@code thenApplyAsync}.
   *
   * @param asks at least one
   * @return the decision, now or when the store has answered; never completed exceptionally
   */
  CompletionStage<Decision> tryAcquireAsync(List<PermitRequest> asks);

  /**
   * Tells what a caller has left without taking anything, under the policy's own limit.
   *
   * @param policy the policy that counts
   * @param key whom it counts
   * @return what {@link #tryAcquire(Policy, Key)} would decide now, before it takes
   */
  default Decision peek(Policy policy, Key key) {
    return peek(new PermitRequest(policy, key));
  }

  /**
   * Tells what a caller has left without taking anything, under the limit of its tier say. What is
   * in force for others and later stays as it was.
   *
   * @param ask what would be asked
   * @return what {@link #tryAcquire(List)} would decide of it now, before it takes
   */
  Decision peek(PermitRequest ask);

  /**
   * Gives back what a decision took, as if the request had never been: to the window it was taken
   * from, never to a later one. A second call does nothing, nor does one for a refusal.
   *
   * @param decision an earlier decision of this limiter
   */
  void refund(Decision decision);

  /**
   * Charges permits after the response, under the policy's own limit: until the next request a
   * token or leaky bucket drains at that rate. For callers of a tier use {@link
   * #charge(PermitRequest)}.
   *
   * @param policy the policy that counts
   * @param key whom it counts
   * @param permits 1 and more
   * @throws IllegalArgumentException if permits is less than 1: a price is never negative
   */
  default void charge(Policy policy, Key key, long permits) {
    charge(new PermitRequest(policy, key, permits, policy.limit()));
  }

  /**
   * Charges permits after the response, where a cost is only known then. It always succeeds and may
   * leave a debt, which later requests wait for.
   *
   * @param debt how many permits, of whom, under which limit
   */
  void charge(PermitRequest debt);

  /** Gives back what is leased and stops all threads. Idempotent; later decisions are refused. */
  @Override
  void close();
}
