package io.weir.internal.container;

import java.util.function.BiConsumer;

/**
 * A request that an implementation of JAX-RS reports on, from each thread that works on it.
 *
 * <p>Safe for concurrent use, as far as threads work on it one after the other.
 */
public interface WatchedRequest {
  /** Binds the request to this thread, which begins to work on it, in place of any other thread. */
  void bindHere();

  /** Unbinds the request: its thread has done its work, for a while or for good. Idempotent. */
  void leave();

  /**
   * Ends the request, as failed unless its response has ended it: nothing has mapped an exception,
   * or the response couldn't be written. Idempotent.
   *
   * @param fields takes header fields of the response that the container will make, by name and
   *     value
   */
  void unanswered(BiConsumer<String, String> fields);
}
