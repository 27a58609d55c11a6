package io.weir.spi;

import io.weir.Decision;
import java.util.function.LongSupplier;

/**
 * Takes note of what a limiter decides.
 *
 * <p>Safe for concurrent use; called for each request, so it must return at once. Never given a key
 * to keep: a label made of one would name the caller, and there would be as many as there are
 * callers.
 */
public interface DecisionMetrics extends AutoCloseable {
  /**
   * Takes note of what one policy decided. Where a request was refused, only the policies that
   * refused it (or would have, watching) are noted; the others took nothing.
   *
   * @param part the decision of one policy
   */
  void decided(Decision part);

  /**
   * Takes note of how long a decision took, the wait for the store included. Only some decisions
   * are timed, picked at random.
   *
   * @param nanos nanoseconds, 0 and more
   */
  void took(long nanos);

  /**
   * Says where to read how many buckets this process holds.
   *
   * @param held an estimate at the moment of the call; to be dropped on {@link #close()}
   */
  void bucketsHeld(LongSupplier held);

  /**
   * Takes note of a settle that a store elsewhere answered, in time or late.
   *
   * @param claims how many exchanges it was: claims that the store executed
   * @param nanos how long it took
   */
  default void storeExecuted(int claims, long nanos) {}

  /** Takes note of a call of the store that failed or took too long. */
  default void storeFailed() {}

  /** Forgets the limiter, which is closed. Idempotent; what was counted stays readable. */
  @Override
  default void close() {}

  /**
   * Takes note of nothing.
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
