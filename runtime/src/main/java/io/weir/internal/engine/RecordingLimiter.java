package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.PermitRequest;
import io.weir.RateLimiter;
import io.weir.store.BucketId;
import io.weir.store.ExactBuckets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * A limiter that also takes note of what was decided without it, so that metrics and logs tell of
 * all decisions.
 *
 * <p>Safe for concurrent use.
 */
public interface RecordingLimiter extends RateLimiter {
  /**
   * The recording limiter behind one that a builder made.
   *
   * @param limiter made by {@link RateLimiter#builder()}
   * @return the same
   * @throws IllegalArgumentException if it is another implementation
   */
  static RecordingLimiter of(RateLimiter limiter) {
    if (limiter instanceof RecordingLimiter own) {
      return own;
    }
    throw new IllegalArgumentException("not made by RateLimiter.builder(): " + limiter.getClass());
  }

  /**
   * Decides a request as {@link #tryAcquire(List)} does, that has waited for something else before:
   * it waits that much less for the store.
   *
   * @param requests see there
   * @param waitedNanos how long it has waited, 0 and more
   * @return see there
   */
  Decision tryAcquire(List<PermitRequest> requests, long waitedNanos);

  /**
   * Decides a request as {@link #tryAcquireAsync(List)} does, that has waited for something else
   * before.
   *
   * @param requests see there
   * @param waitedNanos how long it has waited, 0 and more
   * @return see there
   */
  CompletionStage<Decision> tryAcquireAsync(List<PermitRequest> requests, long waitedNanos);

  /**
   * Asks several policies without taking, at most for the store time-out.
   *
   * @param requests at least one
   * @return what {@link #peek} says of all of them together
   */
  Decision peek(List<PermitRequest> requests);

  /**
   * Asks several policies without taking and without waiting.
   *
   * @param requests at least one
   * @return what {@link #peek} says of all of them together
   */
  CompletionStage<Decision> peekAsync(List<PermitRequest> requests);

  /**
   * Makes a bucket full again: the store forgets it, and then this limiter lets go of it. Permits
   * that were leased before may still be spent elsewhere.
   *
   * @param bucket the bucket
   * @return see {@link io.weir.store.PermitStore#forget}
   */
  CompletionStage<?> forget(BucketId bucket);

  /**
   * Lets go of what this limiter holds and knows of some buckets, so that the store is asked anew.
   *
   * @param which the buckets; asked for each that is held in this process
   */
  void letGo(Predicate<BucketId> which);

  /**
   * Whether the shared store couldn't be reached when it was last asked.
   *
   * @return false for a store in this process
   */
  boolean isStoreAway();

  /**
   * Takes note of a decision that took nothing.
   *
   * @param part the decision of one policy
   */
  void record(Decision part);

  /**
   * The buckets that the store counts exactly.
   *
   * @return nothing where it can't
   */
  Optional<ExactBuckets> exactBuckets();
}
