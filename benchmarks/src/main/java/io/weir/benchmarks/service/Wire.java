package io.weir.benchmarks.service;

import java.nio.ByteBuffer;

/**
 * Requests and replies as bytes, cheap enough that it is the server that is measured.
 *
 * <p>Confine to one thread; each connection has its own.
 */
interface Wire {
  /** What a new connection sends first; each of it has one reply. Empty if nothing. */
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

  /** How many replies have told of a full bucket; 0 if replies don't tell. */
  default long full() {
    return 0;
  }
}
