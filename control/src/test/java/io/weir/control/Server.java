package io.weir.control;

import java.net.URI;

/**
 * A server that runs.
 *
 * @param address where it answers
 * @param stop ends it
 */
record Server(URI address, Runnable stop) implements AutoCloseable {
  @Override
  public void close() {
    stop.run();
  }
}
