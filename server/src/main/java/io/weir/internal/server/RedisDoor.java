package io.weir.internal.server;

import io.weir.internal.server.resp.RespServer;

/** The Redis protocol. Safe for concurrent use. */
final class RedisDoor implements Door {
  static final String NAME = "redis";

  private final RespServer server;
  private final String host;

  private RedisDoor(RespServer server, String host) {
    this.server = server;
    this.host = host;
  }

  static Door open(RespServer.Builder setup, String host, int port) {
    try {
      return new RedisDoor(setup.address(host, port).start(), host);
    } catch (IllegalStateException | IllegalArgumentException failed) {
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
