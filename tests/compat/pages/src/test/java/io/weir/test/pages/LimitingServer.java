package io.weir.test.pages;

import io.weir.internal.server.AdminTokenBootstrap;
import io.weir.internal.server.WeirServer;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A server in this process that admits three requests an hour of each user to {@code /api/posts}.
 */
final class LimitingServer implements AutoCloseable {
  static final int LIMIT = 3;

  private final WeirServer server;
  private final String token;

  LimitingServer() {
    server =
        WeirServer.start(
            Map.of(
                "weir.store", "inprocess:",
                "weir.rules", "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                "weir.rules.timeout", "10s", // a busy machine is no outage
                "weir.store.timeout", "10s",
                "weir.server.listeners", "http",
                "weir.server.http.port", "0",
                "weir.server.stop.delay", "1ms"),
            new AdminTokenBootstrap(printed -> {}));
    server
        .rules()
        .rules()
        .save(
            Rule.builder("free", "/api/posts")
                .limit(LIMIT)
                .window(RuleWindow.ofSeconds(3_600))
                .build(),
            "test");
    server.rules().refresh();
    token =
        server
            .rules()
            .tokens()
            .create("a program", "weir-check", Optional.empty(), Optional.empty(), "test")
            .secret();
  }

  String token() {
    return token;
  }

  String url() {
    return server.listeners().get(0).address();
  }

  int port() {
    return URI.create(url()).getPort();
  }

  @Override
  public void close() {
    server.close();
  }
}
