package io.weir.compat.stack;

import java.io.Closeable;
import java.io.IOException;

/**
 * Calls a measured application by one connection that stays open.
 *
 * <p>Confine to one thread.
 */
public interface MeasuredClient extends Closeable {
  /**
   * Sends one request and waits for its answer.
   *
   * @param name the part of the application that answers: {@code free}, {@code admitted} or {@code
   *     refused}
   * @return whether it was admitted
   * @throws IOException if the answer is neither a success nor a refusal
   */
  boolean call(String name) throws IOException;
}
