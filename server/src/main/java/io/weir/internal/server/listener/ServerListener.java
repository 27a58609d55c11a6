package io.weir.internal.server.listener;

/**
 * Listens by a server that runs. Immutable.
 *
 * @param port the port that the server is bound to
 * @param end closes the server; idempotent
 */
public record ServerListener(ListenerSettings settings, int port, Runnable end)
    implements Listener {
  @Override
  public Protocol protocol() {
    return settings.protocol();
  }

  @Override
  public String address() {
    return Listener.address(settings.host(), port);
  }

  @Override
  public void close() {
    end.run();
  }
}
