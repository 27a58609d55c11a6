package io.weir.benchmarks.service;

import java.nio.ByteBuffer;

/**
 * Requests and replies as bytes, cheap enough that it is the server that is measured.
 *
 * <p>Confine to one thread; each connection has its own.
 */
interface Wire {
  /**
   * Returns the bytes that a new connection sends first, each command with one reply; empty for
   * none.
   */
  byte[] greeting();

  /** Writes the request of a caller. */
  void write(ByteBuffer to, int caller);

  /**
   * Takes the replies that are whole.
   *
   * @param from what has come and wasn't taken
   * @return how many there were
   * @throws IllegalStateException if one of them is an error
   */
  int take(ByteBuffer from);

  /** Returns the number of replies that reported a full bucket; 0 if replies don't report it. */
  default long full() {
    return 0;
  }
}
