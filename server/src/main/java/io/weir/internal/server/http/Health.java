package io.weir.internal.server.http;

/** How the server is. Safe for concurrent use; asked in any thread, and answers at once. */
public interface Health {
  /**
   * Whether requests should be sent here.
   *
   * @return false until the rules have been read once, and once the server is to stop
   */
  boolean isReady();

  /**
   * Whether the server is to stop: connections are to be closed after their next answer.
   *
   * @return true from then on
   */
  boolean isStopping();
}
