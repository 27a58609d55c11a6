package io.weir.internal.server;

import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.listener.ListenerException;
import io.weir.internal.server.resp.RespServer;

/** The Redis protocol. Safe for concurrent use. */
final class RedisListener implements Listener {
  static final String NAME = "redis";

  private final RespServer server;
  private final String host;

  private RedisListener(RespServer server, String host) {
    this.server = server;
    this.host = host;
  }

  static Listener open(RespServer.Builder setup, String host, int port) {
    try {
      return new RedisListener(setup.address(host, port).start(), host);
    } catch (IllegalStateException | IllegalArgumentException failed) {
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
