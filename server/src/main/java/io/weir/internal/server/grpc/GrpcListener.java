package io.weir.internal.server.grpc;

import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.listener.ListenerException;
import io.weir.internal.server.listener.ListenerSettings;
import io.weir.internal.server.listener.Protocol;
import java.io.IOException;

/** Listens for gRPC. Safe for concurrent use. */
public final class GrpcListener implements Listener {
  private final GrpcServer server;
  private final String host;

  private GrpcListener(GrpcServer server, String host) {
    this.server = server;
    this.host = host;
  }

  /**
   * Starts to listen.
   *
   * @param builder has the services and the authentication
   * @param settings address, port and limits
   * @return a listener that the caller closes
   * @throws ListenerException if it can't listen: the port is taken, say
   */
  public static GrpcListener open(GrpcServerBuilder builder, ListenerSettings settings) {
    try {
      GrpcServer server =
          builder
              .host(settings.host())
              .port(settings.port())
              .connections(settings.connections())
              .addressConnections(settings.addressConnections())
              .drain(settings.stopTimeout())
              .start();
      return new GrpcListener(server, settings.host());
    } catch (IOException | IllegalArgumentException failed) {
      throw settings.failed(failed);
    }
  }

  @Override
  public Protocol protocol() {
    return Protocol.GRPC;
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
