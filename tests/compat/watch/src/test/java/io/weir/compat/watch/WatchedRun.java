package io.weir.compat.watch;

import static java.util.Map.entry;

import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.internal.server.AdminTokenBootstrap;
import io.weir.internal.server.WeirServer;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * A server and an application on one Redis that have decided everything that can be decided: they
 * admitted, refused, banned, went beyond limits, were overloaded, and decided while Redis was away.
 */
final class WatchedRun implements AutoCloseable {
  /** The policy that the page's queries name. */
  static final String POLICY = "search";

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final List<String> printed = new CopyOnWriteArrayList<>();
  private final RedisServer redis = RedisServer.start();
  private final WeirServer server;
  private final WatchedApplication application;
  private final String metricsToken;

  WatchedRun() {
    server =
        WeirServer.start(
            Map.ofEntries(
                entry("weir.store", redis.url()),
                entry("weir.secret", "a secret of the tests"),
                entry("weir.rules.timeout", "10s"), // a busy machine is no outage
                entry("weir.store.timeout", "10s"),
                entry("weir.rules", "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"),
                entry("weir.server.listeners", "http"),
                entry("weir.server.http.port", "0"),
                entry("weir.server.stop.delay", "1ms"),
                entry("weir.policy.banning.url", "/api/login"),
                entry("weir.policy.banning.limit", "1"),
                entry("weir.policy.banning.window", "1m"),
                entry("weir.policy.banning.by", "user"),
                entry("weir.policy.banning.ban-after", "1")),
            new AdminTokenBootstrap(printed::add));
    Await.until("the first token is printed", () -> !printed.isEmpty());
    metricsToken = token("weir-metrics");
    server.rules().rules().save(Rule.builder("free", "/api/posts").limit(3).build(), "the tests");
    server
        .rules()
        .rules()
        .save(
            Rule.builder("free", "/api/drafts").limit(1).state(RuleState.SHADOW).build(),
            "the tests");
    server.rules().refresh();
    application = new WatchedApplication(redis.url());
  }

  private String token(String role) {
    return server
        .rules()
        .tokens()
        .create(role, role, Optional.empty(), Optional.empty(), "the tests")
        .secret();
  }

  /** Has some requests decided in every way. */
  void decideAll() {
    for (int i = 0; i < 140; i++) {
      request();
    }
    application.load(1);
    request();
    application.load(0);
    redis.kill9();
    request();
    Await.until("the application notices that the store is away", this::isDegraded);
    redis.restart();
    Await.until("the store is reached again", this::isExactAgain);
  }

  private boolean isDegraded() {
    request();
    return samples("weir_decisions_total{")
        .filter(line -> line.contains("policy=\"" + POLICY + '"'))
        .anyMatch(line -> line.contains("degraded=\"true\""));
  }

  private boolean isExactAgain() {
    double before = exact();
    request();
    return exact() > before;
  }

  private double exact() {
    return samples("weir_exchanges_total ")
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
        .sum();
  }

  /** Returns the lines of the application's metrics that begin in this way. */
  private Stream<String> samples(String beginning) {
    return application.scrape().lines().filter(line -> line.startsWith(beginning));
  }

  /** Has one request decided by each policy. */
  void request() {
    application.request();
    for (String endpoint : List.of("/api/posts", "/api/drafts", "/api/login")) {
      send(
          HttpRequest.newBuilder(URI.create(url() + "/v1/ratelimit/check"))
              .header("Authorization", "Bearer " + printed.get(0))
              .header("Content-Type", "application/json")
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"userId\":\"alice\",\"endpoint\":\"" + endpoint + "\"}"))
              .build());
    }
  }

  private static String send(HttpRequest request) {
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private String url() {
    return server.listeners().get(0).address();
  }

  String serverAddress() {
    return URI.create(url()).getAuthority();
  }

  String applicationAddress() {
    return application.address();
  }

  /** The secret of a token that may read the server's metrics. */
  String metricsToken() {
    return metricsToken;
  }

  /** Reads both metrics as Prometheus does. */
  Scrape scrape() {
    return Scrape.of(
        application.scrape(),
        send(
            HttpRequest.newBuilder(URI.create(url() + "/metrics"))
                .header("Authorization", "Bearer " + metricsToken)
                .build()));
  }

  @Override
  public void close() {
    application.close();
    server.close();
    redis.close();
  }
}
