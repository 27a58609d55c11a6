package io.weir.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.annotation.Algorithm;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.Rules;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.store.PermitStore;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** Runs an application with the control API, rules in a database of its own, and a client. */
final class ControlApp implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  final FakeTicker ticker = new FakeTicker();
  final DataSource database;
  final Rules rules;
  final Weir weir;
  private final Server server;

  /** A response. */
  record Reply(int status, JsonNode body, HttpResponse<String> response) {
    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }
  }

  ControlApp(Map<String, String> settings, BiFunction<Weir, Rules, Server> start) {
    this(settings, Optional.empty(), h2(), start);
  }

  /** Runs an application with parts of its own. */
  ControlApp(
      Map<String, String> settings,
      UnaryOperator<WeirBuilder> parts,
      BiFunction<Weir, Rules, Server> start) {
    this(settings, Optional.empty(), h2(), parts, start);
  }

  ControlApp(
      Map<String, String> settings,
      Optional<PermitStore> store,
      DataSource database,
      BiFunction<Weir, Rules, Server> start) {
    this(settings, store, database, UnaryOperator.identity(), start);
  }

  private ControlApp(
      Map<String, String> settings,
      Optional<PermitStore> store,
      DataSource database,
      UnaryOperator<WeirBuilder> parts,
      BiFunction<Weir, Rules, Server> start) {
    this.database = database;
    this.rules = QuickRules.open(database);
    Map<String, String> all =
        new HashMap<>(Map.of("weir.rules.caller", "header:X-Api-Key", "weir.store.timeout", "10s"));
    all.putAll(settings);
    WeirBuilder builder =
        parts.apply(Weir.builder().settings(all).ticker(ticker).policySource(rules.policySource()));
    this.weir = store.map(builder::store).orElse(builder).build();
    this.server = start.apply(weir, rules);
  }

  /** Makes an empty database in memory. */
  static DataSource h2() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return database;
  }

  void save(RuleBuilder rule) {
    rules.rules().save(rule.build(), "test");
    rules.refresh();
  }

  void rule(String tier, String pattern, long limit) {
    save(Rule.builder(tier, pattern).limit(limit).algorithm(Algorithm.FIXED_WINDOW));
  }

  void user(String userId, String tier, OwnLimit... own) {
    rules
        .users()
        .save(
            new UserTier(userId, tier, List.of(own), UserState.ENFORCED, Optional.empty(), 0),
            "test");
    rules.refresh();
  }

  /** Begins a request of a caller, given as name, slash and roles; empty for an anonymous one. */
  HttpRequest.Builder request(String path, String who) {
    HttpRequest.Builder request = HttpRequest.newBuilder(server.address().resolve(path));
    return who.isEmpty() ? request : request.header("Authorization", "Bearer " + who);
  }

  Reply get(String path, String who) {
    return send(request(path, who).GET());
  }

  /** Sends a request of a caller that may check. */
  Reply post(String path, String json) {
    return send(request(path, "gateway/weir-check"), "POST", json);
  }

  Reply check(String json) {
    return post("/v1/ratelimit/check", json);
  }

  Reply send(HttpRequest.Builder request, String method, String json) {
    return send(request, method, json, "application/json");
  }

  Reply send(HttpRequest.Builder request, String method, String body, String type) {
    return send(request.header("Content-Type", type).method(method, BodyPublishers.ofString(body)));
  }

  Reply send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
      String type = response.headers().firstValue("Content-Type").orElse("");
      JsonNode body =
          type.contains("json") && response.body().matches("(?s)[{\\[].*")
              ? JSON.readTree(response.body())
              : JSON.nullNode();
      return new Reply(response.statusCode(), body, response);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  /**
   * Sends a GET under any name of the host and returns the status. The JDK's client allows another
   * Host only by a property that it reads once, maybe before any test could set it.
   */
  int statusAt(String host, String path, String... fields) {
    String request =
        "GET "
            + path
            + " HTTP/1.1\r\nHost: "
            + host
            + "\r\nConnection: close\r\n"
            + String.join("\r\n", fields)
            + "\r\n\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address().getPort())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      String reply =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      return Integer.parseInt(reply.split(" ", 3)[1]);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  URI address() {
    return server.address();
  }

  @Override
  public void close() {
    server.close();
    weir.close();
    rules.close();
  }
}
