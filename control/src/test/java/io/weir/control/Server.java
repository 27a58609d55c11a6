package io.weir.control;

import java.net.URI;

/**
 * A running server.
 *
 * @param address of its root
 * @param stop stops it
 */
record Server(URI address, Runnable stop) implements AutoCloseable {
  @Override
  public void close() {
    stop.run();
  }
}
