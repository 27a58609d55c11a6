package io.weir.store;

/**
 * What is asked of one bucket by {@link ExactBuckets}: a {@link StepRefillRequest} or a {@link
 * GcraRequest}.
 *
 * <p>Immutable.
 *
 * @param <R> what is replied
 */
public sealed interface ExactRequest<R> permits StepRefillRequest, GcraRequest {
  /**
   * Which bucket is asked.
   *
   * @return its name and parameters
   */
  ExactBucketId bucket();
}
