package io.weir.internal.rules.usage;

import io.weir.Decision;

/**
 * Counts each request that a policy decided, once it has ended. Safe for concurrent use.
 *
 * <p>Called by the thread that ends the request, or by the one that has looked its caller up: so it
 * returns at once, waits for no lock and doesn't use the database.
 */
@FunctionalInterface
public interface UsageListener {
  void finished(FinishedRequest request);

  /**
   * Returns whether a request matters, so that its caller is determined.
   *
   * @return true unless overridden; if false, {@link #finished} may not be called
   */
  default boolean wants(Decision decision) {
    return true;
  }
}
