package io.weir.internal.server.listener;

import java.time.Duration;

/**
 * The settings that every listener has. Immutable.
 *
 * @param host the name or address to listen on
 * @param port the port; 0 for any that is free
 * @param isOpen whether programs may check without a token
 * @param connections the most connections at a time
 * @param addressConnections the most connections of one address at a time
 * @param stopTimeout the time that requests have to finish when the listener is closed
 */
public record ListenerSettings(
    Protocol protocol,
    String host,
    int port,
    boolean isOpen,
    int connections,
    int addressConnections,
    Duration stopTimeout) {
  /**
   * Makes the error for a listener that can't listen.
   *
   * @return an exception for operators, which names the setting to change
   */
  public ListenerException failed(Throwable failure) {
    return ListenerException.of(protocol.text(), host, port, failure);
  }
}
