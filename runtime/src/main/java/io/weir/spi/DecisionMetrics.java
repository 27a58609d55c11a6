package io.weir.spi;

import io.weir.Decision;
import io.weir.RegionStatus;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Measures the decisions of a limiter.
 *
 * <p>Called for each request, so it must return at once. Exceptions are ignored; the first is
 * logged. Don't use a decision's key as a label: it would identify the caller, and there would be
 * as many labels as callers.
 *
 * <p>Safe for concurrent use.
 */
public interface DecisionMetrics extends AutoCloseable {
  /**
   * Counts the decision of one policy. Of a refused request, only the policies that refused it (or
   * would have, in shadow mode) are counted; the others took nothing.
   *
   * @param part the decision of one policy
   */
  void decided(Decision part);

  /**
   * Measures the time of a decision, with the wait for the store. Only a random sample of decisions
   * is timed.
   *
   * @param nanos nanoseconds, 0 and more
   */
  void took(long nanos);

  /**
   * Returns whether {@link #took} does anything. If not, no decision is timed, which saves some
   * nanoseconds of each. Each limiter asks once, when it is built. True unless overridden.
   *
   * @return whether decisions are timed
   */
  default boolean isTimed() {
    return true;
  }

  /**
   * Adds a limiter's count of buckets in this process. Called once by each limiter that measures
   * here, usually one.
   *
   * @param held returns an estimate; to be dropped on {@link #limiterClosed} and {@link #close()}
   */
  void bucketsHeld(LongSupplier held);

  /**
   * Counts a call that a remote store answered, in time or late.
   *
   * @param claims the number of claims that the store executed
   * @param nanos the time of the call in nanoseconds
   */
  default void storeExecuted(int claims, long nanos) {}

  /**
   * Adds what this node knows of regions. Called once at most, if the application runs in several.
   *
   * @param status lists the own region first; takes milliseconds at most; to be dropped on {@link
   *     #regionsClosed}
   */
  default void regions(Supplier<List<RegionStatus>> status) {}

  /**
   * Removes the regions of a Weir that is closed. Idempotent.
   *
   * @param status the argument that was passed to {@link #regions}
   */
  default void regionsClosed(Supplier<List<RegionStatus>> status) {}

  /**
   * Counts a strike: something that leads to a ban if there are more of it.
   *
   * @param policy the name of the policy that may ban the caller
   */
  default void struck(String policy) {}

  /**
   * Counts a ban that this node has made.
   *
   * @param policy the name of the policy that bans the caller
   * @param isShadow whether it is in shadow mode, so that the ban has no effect
   */
  default void banned(String policy, boolean isShadow) {}

  /** Counts a store call that failed or timed out. */
  default void storeFailed() {}

  /**
   * Removes a closed limiter; others may continue to measure here. Idempotent; counts stay
   * readable. Removes all limiters unless overridden.
   *
   * @param held the argument that the limiter passed to {@link #bucketsHeld}
   */
  default void limiterClosed(LongSupplier held) {
    close();
  }

  /** Removes all limiters. Idempotent; counts stay readable. */
  @Override
  default void close() {}

  /**
   * Returns metrics that measure nothing.
   *
   * @return the metrics, always the same object
   */
  static DecisionMetrics none() {
    return NoMetrics.INSTANCE;
  }
}
