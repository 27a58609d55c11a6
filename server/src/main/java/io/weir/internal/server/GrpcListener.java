package io.weir.internal.server;

import io.weir.internal.server.grpc.GrpcServer;
import io.weir.internal.server.grpc.GrpcServerBuilder;
import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.listener.ListenerException;
import java.io.IOException;

/** gRPC. Safe for concurrent use. */
final class GrpcListener implements Listener {
  static final String NAME = "grpc";

  private final GrpcServer server;
  private final String host;

  private GrpcListener(GrpcServer server, String host) {
    this.server = server;
    this.host = host;
  }

  static Listener open(GrpcServerBuilder setup, String host, int port) {
    try {
      return new GrpcListener(setup.host(host).port(port).start(), host);
    } catch (IOException | IllegalArgumentException failed) {
      throw ListenerException.of(NAME, host, port, failed);
    }
  }

  @Override
  public String name() {
    return NAME;
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
