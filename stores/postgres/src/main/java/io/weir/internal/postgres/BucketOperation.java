package io.weir.internal.postgres;

import org.jspecify.annotations.Nullable;

/**
 * Something to be done to one bucket, which may be computed several times until its row could be
 * replaced.
 *
 * <p>Confine to one thread at a time.
 */
interface BucketOperation {
  /** Returns the epoch that the data must have; 0 for any. */
  long epoch();

  /**
   * Computes the answer and the bucket after it, and remembers the answer.
   *
   * @param state null for a fresh bucket
   * @param now the server's time
   */
  Step step(byte @Nullable [] state, long now);

  /**
   * Gives the answer last computed: it counts.
   *
   * @param uncertainty the most by which the time was behind, in microseconds
   */
  void answer(long uncertainty);

  /** Gives up. */
  void fail(Throwable failure);

  /** Gives up because this bucket alone can't be counted: the database works. */
  void reject(IllegalArgumentException why);

  /**
   * A bucket after a step.
   *
   * @param state null if it equals a fresh one
   * @param changed whether it has to be written
   * @param expiresAt when it may be removed
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Step(byte @Nullable [] state, boolean changed, long expiresAt) {}
}
