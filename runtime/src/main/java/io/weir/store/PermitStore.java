package io.weir.store;

import io.weir.annotation.Algorithm;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Where buckets live.
 *
 * <p>Each claim is executed atomically, and counted in its bucket whoever asks; several claims
 * together are not atomic. The store's own clock decides windows. A bucket that nobody touches for
 * as long as its counts last may be forgotten, no other.
 *
 * <p>A store that is only this is asked for each request. One that leases permits is a {@link
 * LeasingStore}.
 *
 * <p>Safe for concurrent use.
 */
public interface PermitStore extends AutoCloseable {
  /**
   * Executes claims, without keeping the calling thread waiting for I/O.
   *
   * @param claims any number, also several of one bucket, which are executed in their order
   * @return one answer for each claim, in order: its grant, or nothing if this claim failed alone;
   *     completed exceptionally if the store can't be reached. A claim without a grant may or may
   *     not have been executed
   */
  CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims);

  /**
   * What this store can count by. A policy with another algorithm is refused at start-up.
   *
   * @return at least one; all unless said otherwise
   */
  default Set<Algorithm> algorithms() {
    return EnumSet.allOf(Algorithm.class);
  }

  /**
   * Whether this store counts buckets of a spec. A policy of which it doesn't is refused at
   * start-up. A store that hands its claims over to {@link BucketArithmetic} counts all, and says
   * so here.
   *
   * @param spec algorithm, window, burst and whatever else a policy makes its buckets of
   * @return unless overridden, true for each of {@link #algorithms()} that has neither a {@link
   *     BucketSpec#refill()} of its own nor windows by the {@link BucketSpec#calendar()}
   */
  default boolean counts(BucketSpec spec) {
    return spec.refill() == 0
        && spec.calendar().isEmpty()
        && algorithms().contains(spec.algorithm());
  }

  /**
   * Forgets what a bucket has counted, so that it is full again: for somebody who was locked out,
   * say. Permits that were granted before may still be spent, and what is given back of them may
   * come on top.
   *
   * @param bucket the bucket, whether the store knows it or not
   * @return completed when it is forgotten; exceptionally if the store can't be reached, and with
   *     {@link UnsupportedOperationException} by a store that can't forget, as here
   */
  default CompletionStage<?> forget(BucketId bucket) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException("this store can't forget a bucket"));
  }

  /**
   * The buckets that this store counts exactly, for clients who bring their own parameters.
   *
   * @return nothing if it can't, as here
   */
  default Optional<ExactBuckets> exactBuckets() {
    return Optional.empty();
  }

  /**
   * How many buckets the store holds in this process.
   *
   * @return an estimate; 0 for a store elsewhere
   */
  long size();

  /** Releases what the store holds. Idempotent. */
  @Override
  void close();
}
