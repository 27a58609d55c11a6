package io.weir.internal.server.resp;

import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.listener.ListenerException;
import io.weir.internal.server.listener.ListenerSettings;
import io.weir.internal.server.listener.Protocol;

/** Listens for the Redis protocol. Safe for concurrent use. */
public final class RespListener implements Listener {
  private final RespServer server;
  private final String host;

  private RespListener(RespServer server, String host) {
    this.server = server;
    this.host = host;
  }

  /**
   * Starts to listen.
   *
   * @param builder has what decides and counts, and knows tokens
   * @param settings address, port and limits
   * @return a listener that the caller closes
   * @throws ListenerException if it can't listen: the port is taken, say
   */
  public static RespListener open(RespServer.Builder builder, ListenerSettings settings) {
    try {
      RespServer server =
          builder
              .address(settings.host(), settings.port())
              .open(settings.isOpen())
              .limits(
                  RespLimits.DEFAULT
                      .withConnections(settings.connections())
                      .withAddressConnections(settings.addressConnections())
                      .withClosing(settings.stopTimeout()))
              .start();
      return new RespListener(server, settings.host());
    } catch (IllegalStateException | IllegalArgumentException failed) {
      throw settings.failed(failed);
    }
  }

  @Override
  public Protocol protocol() {
    return Protocol.REDIS;
  }

  @Override
  public String address() {
    return Listener.address(host, server.port());
  }

  @Override
  public void close() {
    server.close();
  }
}
