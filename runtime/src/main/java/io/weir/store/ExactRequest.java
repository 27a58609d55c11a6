package io.weir.store;

/**
 * A request to one bucket of {@link ExactBuckets}: a {@link StepRefillRequest} or a {@link
 * GcraRequest}.
 *
 * <p>Immutable.
 *
 * @param <R> the type of the reply
 */
public sealed interface ExactRequest<R> permits StepRefillRequest, GcraRequest {
  /**
   * Returns the bucket that the request is for.
   *
   * @return its name and parameters
   */
  ExactBucketId bucket();
}
