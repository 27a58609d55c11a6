package io.weir.compat.stack;

import java.io.IOException;
import java.net.URI;

/**
 * A stack in a process of its own, whose application can be started and stopped several times. The
 * application has the endpoints of {@link CheckedResources} or {@link CheckedServlets}, trusts the
 * proxy on loopback, and takes the user from the header field {@code X-User}.
 *
 * <p>Confine to one thread.
 */
public interface StackServer extends AutoCloseable {
  /**
   * Starts the application.
   *
   * @return its address, without a slash at the end
   * @throws IOException if it doesn't start
   */
  URI start() throws IOException;

  /**
   * Stops the application, but not the process.
   *
   * @throws IOException if it doesn't stop
   */
  void stop() throws IOException;

  /**
   * Returns the process, in which nothing of Weir may be left after the stop.
   *
   * @return a JVM of this user
   */
  ProcessHandle process();

  /** Ends the process. */
  @Override
  void close();
}
