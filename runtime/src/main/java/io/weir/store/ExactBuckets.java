package io.weir.store;

import java.util.concurrent.CompletionStage;

/**
 * Buckets that are counted exactly, for clients who name a bucket and its parameters with each
 * request and want the numbers: each request is executed by the store itself, and nothing is
 * leased. A store that can do so says it by {@link PermitStore#exactBuckets()}.
 *
 * <p>These buckets share nothing with those of policies.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface ExactBuckets {
  /**
   * Executes a request atomically, without keeping the calling thread waiting for I/O.
   *
   * @param request which bucket, and what to do
   * @param <R> what is replied
   * @return the reply, when the bucket is stored; it may be there at once. Completed exceptionally
   *     if the store can't be reached, and the request may have been executed then; with a {@link
   *     StoreFullException} if it can't take one bucket more, and the request wasn't executed
   */
  <R> CompletionStage<R> execute(ExactRequest<R> request);
}
