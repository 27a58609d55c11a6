package io.weir.internal.server;

import io.weir.internal.server.grpc.GrpcServer;
import io.weir.internal.server.grpc.GrpcServerBuilder;
import java.io.IOException;

/** gRPC. Safe for concurrent use. */
final class GrpcDoor implements Door {
  static final String NAME = "grpc";

  private final GrpcServer server;
  private final String host;

  private GrpcDoor(GrpcServer server, String host) {
    this.server = server;
    this.host = host;
  }

  static Door open(GrpcServerBuilder setup, String host, int port) {
    try {
      return new GrpcDoor(setup.host(host).port(port).start(), host);
    } catch (IOException | IllegalArgumentException failed) {
      throw DoorException.of(NAME, host, port, failed);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String address() {
    return Door.address(host, server.port());
  }

  @Override
  public void close() {
    server.close();
  }
}
