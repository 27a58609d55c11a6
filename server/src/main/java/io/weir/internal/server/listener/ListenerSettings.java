package io.weir.internal.server.listener;

import java.time.Duration;

/**
 * The settings that every listener has. Immutable.
 *
 * @param port the port; 0 for any that is free
 * @param isOpen whether programs may check without a token
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
  public ListenerException failed(Throwable failure) {
    return ListenerException.of(protocol.text(), host, port, failure);
  }
}
