package io.weir;

import io.weir.internal.engine.DefaultRateLimiterBuilder;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Decides which requests are admitted.
 *
 * <p>The adapters for JAX-RS, servlets, Spring and AspectJ use it for annotated code. It can also
 * be called directly:
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
 * <p>No method waits for permits: a request that can't be admitted now is refused. No method fails
 * if the store does: the decision is then made without it, by the policy's {@code onStoreFailure},
 * and is {@linkplain Decision#degraded() degraded}.
 *
 * <p>Safe for concurrent use.
 */
public interface RateLimiter extends AutoCloseable {
  /**
   * Makes a limiter that counts in this process, by the machine's clock.
   *
   * @return a limiter that the caller closes
   */
  static RateLimiter inProcess() {
    return builder().build();
  }

  /**
   * Starts a limiter with parts of your own.
   *
   * @return a builder
   */
  static RateLimiterBuilder builder() {
    return new DefaultRateLimiterBuilder();
  }

  /**
   * Takes the policy's cost from the caller's bucket, or refuses. If the decision needs the store,
   * waits for it at most for the store time-out.
   *
   * @param policy the policy that decides
   * @param key identifies the caller
   * @return the decision
   * @throws IllegalArgumentException if the store can't count by the policy's algorithm
   */
  default Decision tryAcquire(Policy policy, Key key) {
    return tryAcquire(List.of(new PermitRequest(policy, key)));
  }

  /**
   * Takes permits from the caller's bucket, all of them or none. If the decision needs the store,
   * waits for it at most for the store time-out.
   *
   * @param policy the policy that decides
   * @param key identifies the caller
   * @param permits 0 and more; 0 is always admitted, and the decision shows the permits left
   * @return the decision
   * @throws IllegalArgumentException if permits is less than 0, or the store can't count by the
   *     policy's algorithm
   */
  default Decision tryAcquire(Policy policy, Key key, long permits) {
    return tryAcquire(List.of(new PermitRequest(policy, key, permits, policy.limit())));
  }

  /**
   * Decides a request of several policies, all or nothing: if one policy refuses, no permit is
   * taken for any. If the decision needs the store, waits for it at most for the store time-out.
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
   * Peeks at a caller's bucket under the policy's own limit, without taking permits.
   *
   * @param policy the policy that counts
   * @param key identifies the caller
   * @return the decision that {@link #tryAcquire(Policy, Key)} would make now, without its permits
   *     taken
   */
  default Decision peek(Policy policy, Key key) {
    return peek(new PermitRequest(policy, key));
  }

  /**
   * Peeks at a caller's bucket under another limit, such as that of its tier, without taking
   * permits and without changing the limit of the bucket.
   *
   * @param request the request that would be made
   * @return the decision that {@link #tryAcquire(List)} would make now, without its permits taken
   */
  Decision peek(PermitRequest request);

  /**
   * Refunds the permits that a decision took to the window from which they were taken, never to a
   * later one. A second call does nothing, nor does a call for a refusal, or after {@link
   * #succeeded} or {@link #failed}. Returns at once.
   *
   * @param decision an earlier decision of this limiter
   * @throws IllegalArgumentException if the decision wasn't made by a limiter of Weir
   */
  void refund(Decision decision);

  /**
   * Reports that the request that a decision admitted has succeeded: refunds policies that count
   * only failures, and a policy with {@code clearOn} SUCCESS forgets the failures that were
   * reported before this decision was made. Those of requests that are still running stay counted.
   * Other nodes' failures are known to the store after a flush interval, 100 ms unless set. Returns
   * at once; of this and {@link #failed}, only the first call has an effect.
   *
   * @param decision an earlier decision of this limiter
   * @throws IllegalArgumentException if the decision wasn't made by a limiter of Weir
   */
  void succeeded(Decision decision);

  /**
   * Reports that the request that a decision admitted has failed: refunds policies that count only
   * successes, and a later success may clear the failure in a policy with {@code clearOn} SUCCESS.
   * Returns at once; of this and {@link #succeeded}, only the first call has an effect.
   *
   * @param decision an earlier decision of this limiter
   * @throws IllegalArgumentException if the decision wasn't made by a limiter of Weir
   */
  void failed(Decision decision);

  /**
   * Charges permits after the response, under the policy's own limit, which a token or leaky bucket
   * then uses as its rate until the next request. For callers with a tier use {@link
   * #charge(PermitRequest)}.
   *
   * @param policy the policy that counts
   * @param key identifies the caller
   * @param permits 0 and more
   * @throws IllegalArgumentException if permits is less than 0, or the store can't count by the
   *     policy's algorithm
   */
  default void charge(Policy policy, Key key, long permits) {
    charge(new PermitRequest(policy, key, permits, policy.limit()));
  }

  /**
   * Charges permits after the response, for a cost that is known only then, even if the bucket has
   * fewer. This may leave a debt; requests are refused until new permits have paid it. Returns at
   * once.
   *
   * @param debt the permits, the caller and the limit
   * @throws IllegalArgumentException if the store can't count by the policy's algorithm
   */
  void charge(PermitRequest debt);

  /**
   * Resets a caller's bucket to full, for example for a caller that was locked out. Returns at
   * once.
   *
   * <p>It reaches
   *
   * <ul>
   *   <li>this limiter's own count at once, which decides while the store is away, and what it has
   *       yet to report of that to the store;
   *   <li>the store, and what this limiter holds and knows of the bucket, before the stage is
   *       completed: from then on this limiter decides by a full bucket;
   *   <li>other nodes as soon as they ask the store again. A node refuses by what it knows for at
   *       most 16 flush intervals, 1.6 s unless set.
   * </ul>
   *
   * <p>Permits that were taken before may still be spent from leases, of this and other nodes, or
   * refunded. So a caller may get as many more as that, once.
   *
   * <p>Where a {@link io.weir.spi.PolicySource} replaces the policy for the caller, this resets the
   * bucket of the replacement, which differs if the burst does, and the policy's own.
   *
   * <p>With rules in a database this reaches no further. {@code Rules.buckets().reset(…)} does the
   * same, makes all nodes ask the store within three seconds, and is recorded in the history.
   *
   * @param policy the policy that counts
   * @param key identifies the caller
   * @return completed when the bucket is reset; exceptionally if the store can't be reached, then
   *     perhaps only this limiter's own count is reset, and with {@link
   *     UnsupportedOperationException} if the store can't reset buckets
   * @throws IllegalArgumentException if the store can't count by the policy's algorithm, or the
   *     policy is a quota of a {@linkplain io.weir.store.CalendarWindow#isPeriod() period}, whose
   *     use is recorded elsewhere too
   */
  CompletionStage<Void> reset(Policy policy, Key key);

  /**
   * Gives leases back and stops all threads. Idempotent; later requests are refused with {@link
   * Reason#STORE_UNAVAILABLE}.
   */
  @Override
  void close();
}
