package io.weir.internal.postgres;

import io.weir.store.Claim;
import java.util.List;
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

  /** Returns when it was asked for, by the even clock in microseconds. */
  long askedAt();

  /**
   * Computes the answer and the bucket after it, and remembers the answer.
   *
   * @param state null for a fresh bucket
   * @param now the server's time
   */
  Step step(byte @Nullable [] state, long now);

  /**
   * Returns its claims if they take nothing, so that they may be appended to the row instead.
   *
   * @return empty if it has to replace the row
   */
  default List<Claim> takingNothing() {
    return List.of();
  }

  /**
   * Returns how much longer a bucket may count, at most, once {@link #takingNothing()} was executed
   * on it.
   *
   * @param now the server's time
   * @return microseconds
   */
  default long life(long now) {
    return 0;
  }

  /** Gives the answer last computed: it counts. */
  void answer(Round round);

  void fail(Throwable failure);

  /**
   * Gives up because other nodes were faster again and again: the database works, and what it
   * counts is known.
   *
   * @param retry when to try again, in microseconds
   */
  default void lose(RuntimeException why, long retry) {
    fail(why);
  }

  /** Gives up because this bucket alone can't be counted: the database works. */
  default void reject(RuntimeException why) {
    fail(why);
  }

  /**
   * A bucket after a step.
   *
   * @param state null if it equals a fresh one
   * @param changed whether it has to be written
   * @param expiresAt when it may be removed
   * @param until when the first slot ends that permits were charged to
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Step(byte @Nullable [] state, boolean changed, long expiresAt, long until) {
    Step(byte @Nullable [] state, boolean changed, long expiresAt) {
      this(state, changed, expiresAt, Long.MAX_VALUE);
    }
  }

  /**
   * The round that counts. All in microseconds.
   *
   * @param passed how much later than computed the server executed it
   * @param sentAt when it was sent, by the even clock
   * @param width how far a node's clock may be behind the server's
   */
  record Round(long passed, long sentAt, long width) {}
}
