package io.weir.internal.server.http;

/** The state of the server. Safe for concurrent use; never blocks. */
public interface Health {
  /**
   * Returns whether requests should be sent to this server.
   *
   * @return false until the rules have been read once, and from the request to stop on
   */
  boolean isReady();

  /**
   * Returns whether the server is stopping: connections are closed after their next response.
   *
   * @return true from the request to stop on
   */
  boolean isStopping();
}
