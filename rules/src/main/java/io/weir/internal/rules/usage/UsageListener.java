package io.weir.internal.rules.usage;

import io.weir.Decision;

/**
 * Is told of each request that a policy decided, once it is over. Safe for concurrent use.
 *
 * <p>Called in the thread that ends the request, or in the one that has looked its caller up: so it
 * returns at once, waits for no lock, and asks no database.
 */
@FunctionalInterface
public interface UsageListener {
  /**
   * A request is over.
   *
   * @param request what is known of it
   */
  void finished(FinishedRequest request);

  /**
   * Whether it is worth finding out whose a request was.
   *
   * @param decision what was decided of the request
   * @return true unless overridden; false: the request needn't be told
   */
  default boolean wants(Decision decision) {
    return true;
  }
}
