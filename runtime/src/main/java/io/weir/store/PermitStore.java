package io.weir.store;

import io.weir.annotation.Algorithm;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Keeps buckets and executes claims on them.
 *
 * <p>Each claim is executed atomically, and counted in its bucket whichever node sends it; several
 * claims together are not atomic. The store's own clock determines windows. A bucket may be
 * forgotten only if it hasn't been used for as long as its counts last.
 *
 * <p>A store that is only this is asked for each request. One that leases permits is a {@link
 * LeasingStore}.
 *
 * <p>Safe for concurrent use.
 */
public interface PermitStore extends AutoCloseable {
  /**
   * Executes claims, without blocking the calling thread for I/O.
   *
   * @param claims any number, also several of one bucket, which are executed in their order
   * @return one answer for each claim, in order: its grant, or empty if this claim alone failed;
   *     completed exceptionally if the store can't be reached. A claim without a grant may or may
   *     not have been executed
   */
  CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims);

  /**
   * Returns the algorithms that this store supports. A policy with another one is rejected at
   * start-up.
   *
   * @return at least one; all unless overridden
   */
  default Set<Algorithm> algorithms() {
    return EnumSet.allOf(Algorithm.class);
  }

  /**
   * Returns whether this store can count buckets of a spec. A policy that it can't count is
   * rejected at start-up. A store that passes its claims on to {@link BucketArithmetic} counts all,
   * and returns true here.
   *
   * @param spec algorithm, window, burst and whatever else identifies a policy's buckets
   * @return unless overridden, true for each of {@link #algorithms()} that has neither a {@link
   *     BucketSpec#hasRefill() refill} nor windows by the {@link BucketSpec#calendar()}, and that
   *     no success {@linkplain BucketSpec#clears() clears}
   */
  default boolean counts(BucketSpec spec) {
    return !spec.hasRefill()
        && spec.calendar().isEmpty()
        && !spec.clears()
        && algorithms().contains(spec.algorithm());
  }

  /**
   * Resets a bucket, so that it is full again: for a caller that was locked out, for example.
   * Permits granted before may still be spent, and their give-backs may add to that.
   *
   * @param bucket the bucket, whether the store knows it or not
   * @return completed when it is reset; exceptionally if the store can't be reached, and with
   *     {@link UnsupportedOperationException}, the default, by a store that can't reset buckets
   */
  default CompletionStage<?> forget(BucketId bucket) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException("this store can't forget a bucket"));
  }

  /**
   * Returns the buckets that this store counts exactly, for clients that bring their own
   * parameters.
   *
   * @return empty, the default, if it can't
   */
  default Optional<ExactBuckets> exactBuckets() {
    return Optional.empty();
  }

  /**
   * Returns the number of buckets that the store holds in this process.
   *
   * @return an estimate; 0 for a remote store
   */
  long size();

  /** Releases the store's resources. Idempotent. */
  @Override
  void close();
}
