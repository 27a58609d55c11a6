package io.weir.spi;

import io.weir.Decision;
import java.util.function.LongSupplier;

/**
 * Measures what a limiter decides.
 *
 * <p>Called for each request, so it must return at once. What it throws is dropped, and the first
 * failure is logged. Don't make a label of a decision's key: it would name the caller, and there
 * would be as many labels as callers.
 *
 * <p>Safe for concurrent use.
 */
public interface DecisionMetrics extends AutoCloseable {
  /**
   * Counts what one policy decided. Where a request was refused, only the policies that refused it
   * (or would have, in shadow mode) are counted; the others took nothing.
   *
   * @param part the decision of one policy
   */
  void decided(Decision part);

  /**
   * Measures how long a decision took, the wait for the store included. Only some decisions are
   * timed, picked at random.
   *
   * @param nanos nanoseconds, 0 and more
   */
  void took(long nanos);

  /**
   * Adds a place to read how many buckets this process holds. Called once by each limiter that
   * measures here: usually by one.
   *
   * @param held an estimate at the moment of the call; to be dropped on {@link #limiterClosed} and
   *     {@link #close()}
   */
  void bucketsHeld(LongSupplier held);

  /**
   * Counts a call of a store outside of this process that was answered, in time or late.
   *
   * @param claims how many claims the store executed in it
   * @param nanos how long it took, in nanoseconds
   */
  default void storeExecuted(int claims, long nanos) {}

  /** Counts a call of the store that failed or took too long. */
  default void storeFailed() {}

  /**
   * Forgets one limiter, which is closed; others may go on to measure here. Idempotent; what was
   * counted stays readable. Closes all unless overridden.
   *
   * @param held what the limiter gave to {@link #bucketsHeld}
   */
  default void limiterClosed(LongSupplier held) {
    close();
  }

  /** Forgets all limiters. Idempotent; what was counted stays readable. */
  @Override
  default void close() {}

  /**
   * Measures nothing.
   *
   * @return metrics for those who want none
   */
  static DecisionMetrics none() {
    return new DecisionMetrics() {
      @Override
      public void decided(Decision part) {}

      @Override
      public void took(long nanos) {}

      @Override
      public void bucketsHeld(LongSupplier held) {}
    };
  }
}
