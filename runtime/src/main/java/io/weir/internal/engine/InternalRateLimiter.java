package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.internal.permits.RequestDecisionBuilder;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.region.RegionShares;
import io.weir.spi.DecisionSpan;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.ExactBuckets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides for adapters, which need more than applications do: several policies with the time that
 * was waited before, what a bucket forgets, and decisions that were made without it in metrics and
 * logs.
 *
 * <p>Safe for concurrent use.
 */
public interface InternalRateLimiter extends RateLimiter {
  /**
   * Casts a limiter made by {@link RateLimiter#builder()}.
   *
   * @throws IllegalArgumentException if it is another implementation
   */
  static InternalRateLimiter of(RateLimiter limiter) {
    if (limiter instanceof InternalRateLimiter own) {
      return own;
    }
    throw new IllegalArgumentException("not made by RateLimiter.builder(): " + limiter.getClass());
  }

  /**
   * Decides a request that has already waited for something else, and so waits that much less for
   * the store; otherwise like {@link #tryAcquire(List)}.
   *
   * @param waitedNanos the time that it has waited, at least 0
   */
  Decision tryAcquire(List<PermitRequest> requests, long waitedNanos);

  /**
   * Does the same as {@link #tryAcquire(List, long)} without waiting.
   *
   * @param waitedNanos the time that it has waited, at least 0
   * @param span the {@link #currentSpan()} of the thread in which the request began
   */
  CompletionStage<Decision> tryAcquireAsync(
      List<PermitRequest> requests, long waitedNanos, @Nullable DecisionSpan span);

  /**
   * Returns the span of this thread, to record a decision on that begins now; null if there is none
   * that records.
   */
  @Nullable DecisionSpan currentSpan();

  /** Peeks under several policies together, and waits at most for the store time-out. */
  Decision peek(List<PermitRequest> requests);

  /** Peeks under several policies together, without waiting. */
  CompletionStage<Decision> peekAsync(List<PermitRequest> requests);

  /**
   * Makes a bucket full again: this node's own count forgets it at once, with what it owes the
   * store; then the store does, and then what this limiter knows of it goes. Leased permits may
   * still be spent elsewhere. Completed as {@link io.weir.store.PermitStore#forget} is.
   */
  CompletionStage<Void> forget(BucketSpec spec, Key key);

  /**
   * Gives up what this limiter holds and knows of some buckets, so that the store is asked again.
   */
  void letGo(Predicate<BucketId> which);

  /**
   * Returns whether the shared store couldn't be reached when it was last asked; false for a store
   * in this process.
   */
  boolean isStoreAway();

  /** Returns how often the shared store was found to have lost its data since the start. */
  long storeLosses();

  /** Returns the number of nodes that share the store, as far as is known; 1 and more. */
  int nodes();

  /**
   * Starts the decision of a request that is made without asking for its permits: an admission with
   * nothing left. Reports this region's part of the limit, where limits are divided.
   *
   * @param policy the request's, or the same in shadow mode
   */
  RequestDecisionBuilder unasked(Policy policy, PermitRequest request);

  /**
   * Returns the terms by which another region would have made the decision of one policy, as far as
   * this node knows: by its own load.
   *
   * @param its how that region divides limits
   */
  RequestTerms termsInRegion(Decision part, RegionShares its);

  /** Records a decision that took nothing. */
  void record(Decision part);

  /** Records a strike; see {@link io.weir.spi.DecisionMetrics#struck}. */
  void recordStrike(String policy);

  /** Records a ban; see {@link io.weir.spi.DecisionMetrics#banned}. */
  void recordBan(String policy, boolean isShadow);

  /**
   * Records on a span the decision of a request that was made without this limiter.
   *
   * @param span the {@link #currentSpan()} of the thread in which the request began
   */
  void trace(@Nullable DecisionSpan span, Decision decision);

  /** Returns the buckets that the store counts exactly; empty if it can't. */
  Optional<ExactBuckets> exactBuckets();
}
