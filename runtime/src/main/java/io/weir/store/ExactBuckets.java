package io.weir.store;

import java.util.concurrent.CompletionStage;

/**
 * Counts buckets exactly, for clients that name a bucket and its parameters with each request and
 * need the numbers: each request is executed by the store itself, and nothing is leased. A store
 * that supports this returns it from {@link PermitStore#exactBuckets()}.
 *
 * <p>These buckets share nothing with those of policies.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface ExactBuckets {
  /**
   * Executes a request atomically, without blocking the calling thread for I/O.
   *
   * @param request the bucket, and what to do
   * @param <R> the type of the reply
   * @return the reply, completed when the bucket is stored, perhaps at once. Completed
   *     exceptionally if the store can't be reached, in which case the request may have been
   *     executed; with a {@link StoreFullException} if there is no room for another bucket, in
   *     which case it wasn't executed
   */
  <R> CompletionStage<R> execute(ExactRequest<R> request);
}
