package io.weir;

import io.weir.internal.engine.DefaultRateLimiterBuilder;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Decides which requests are admitted.
 *
 * <p>The adapters for JAX-RS, servlets and AspectJ use it for what is annotated. It can be used by
 * hand as well:
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
 * <p>No method waits for permits: what can't be admitted now is refused. No method fails because
 * the store does: what can't be decided with the store is decided without it, as the policy's
 * {@code onStoreFailure} says, and is then {@linkplain Decision#degraded() degraded}.
 *
 * <p>Safe for concurrent use.
 */
public interface RateLimiter extends AutoCloseable {
  /**
   * A limiter that counts in this process, by the machine's clock.
   *
   * @return a limiter that the caller closes
   */
  static RateLimiter inProcess() {
    return builder().build();
  }

  /**
   * Starts a limiter of other parts than the default ones.
   *
   * @return a builder
   */
  static RateLimiterBuilder builder() {
    return new DefaultRateLimiterBuilder();
  }

  /**
   * Takes the policy's cost from the caller's bucket, or refuses. If the store has to be asked,
   * this waits for it, at most for the store time-out.
   *
   * @param policy the policy that decides
   * @param key whom it counts
   * @return the decision
   * @throws IllegalArgumentException if the store can't count by the policy's algorithm
   */
  default Decision tryAcquire(Policy policy, Key key) {
    return tryAcquire(List.of(new PermitRequest(policy, key)));
  }

  /**
   * Takes permits from the caller's bucket, all of them or none. If the store has to be asked, this
   * waits for it, at most for the store time-out.
   *
   * @param policy the policy that decides
   * @param key whom it counts
   * @param permits 0 and more; none are admitted whatever the caller has left, which the decision
   *     tells
   * @return the decision
   * @throws IllegalArgumentException if permits is less than 0, or the store can't count by the
   *     policy's algorithm
   */
  default Decision tryAcquire(Policy policy, Key key, long permits) {
    return tryAcquire(List.of(new PermitRequest(policy, key, permits, policy.limit())));
  }

  /**
   * Decides a request of several policies, all or nothing: if one policy refuses, no permit is
   * taken for any. If the store has to be asked, this waits for it, at most for the store time-out.
   *
   * @param requests one for each policy, at least one
   * @return one decision with a {@linkplain Decision#parts() part} for each policy
   * @throws IllegalArgumentException if there is none, or the store can't count by one of the
   *     algorithms
   */
  Decision tryAcquire(List<PermitRequest> requests);

  /**
   * Decides a request of several policies, all or nothing, without waiting.
   *
   * <p>Actions attached to the stage may run on a thread that serves the store, so they must not
   * wait either; hand longer work to an executor, as with {@code thenApplyAsync}.
   *
   * @param requests one for each policy, at least one
   * @return the decision: completed now, or when the store has answered, or at the store time-out;
   *     never completed exceptionally
   * @throws IllegalArgumentException if there is none, or the store can't count by one of the
   *     algorithms
   */
  CompletionStage<Decision> tryAcquireAsync(List<PermitRequest> requests);

  /**
   * Tells what a caller has left, under the policy's own limit, without taking anything.
   *
   * @param policy the policy that counts
   * @param key whom it counts
   * @return what {@link #tryAcquire(Policy, Key)} would decide now, before it takes
   */
  default Decision peek(Policy policy, Key key) {
    return peek(new PermitRequest(policy, key));
  }

  /**
   * Tells what a caller has left, under the limit of its tier for example, without taking anything
   * and without changing the limit of the bucket.
   *
   * @param request what would be requested
   * @return what {@link #tryAcquire(List)} would decide now, before it takes
   */
  Decision peek(PermitRequest request);

  /**
   * Refunds the permits that a decision took: to the window that they were taken from, never to a
   * later one. A second call does nothing, nor does a call for a refusal. Returns at once.
   *
   * @param decision an earlier decision of this limiter
   * @throws IllegalArgumentException if a decision wasn't made by a limiter of Weir
   */
  void refund(Decision decision);

  /**
   * Charges permits after the response, under the policy's own limit, which then is the rate of a
   * token or leaky bucket until the next request. For callers of a tier use {@link
   * #charge(PermitRequest)}.
   *
   * @param policy the policy that counts
   * @param key whom it counts
   * @param permits 0 and more
   * @throws IllegalArgumentException if permits is less than 0, or the store can't count by the
   *     policy's algorithm
   */
  default void charge(Policy policy, Key key, long permits) {
    charge(new PermitRequest(policy, key, permits, policy.limit()));
  }

  /**
   * Charges permits after the response, for a cost that is known only then, whether they are there
   * or not. It may leave a debt; requests are refused until that is paid by new permits. Returns at
   * once.
   *
   * @param debt how many permits, of whom, under which limit
   * @throws IllegalArgumentException if the store can't count by the policy's algorithm
   */
  void charge(PermitRequest debt);

  /**
   * Gives leases back and stops all threads. Idempotent; later requests are refused with {@link
   * Reason#STORE_UNAVAILABLE}, so that the caller decides what to do without a limiter.
   */
  @Override
  void close();
}
