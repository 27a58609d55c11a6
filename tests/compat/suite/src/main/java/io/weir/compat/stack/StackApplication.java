package io.weir.compat.stack;

/** The application of a stack, which {@link StackMain} starts and stops as often as it is told. */
@FunctionalInterface
public interface StackApplication {
  /**
   * Starts the application, and returns when it serves requests.
   *
   * @param port the TCP port on 127.0.0.1
   * @return stops it, with everything that it has started
   * @throws Exception if it can't start
   */
  AutoCloseable start(int port) throws Exception;
}
