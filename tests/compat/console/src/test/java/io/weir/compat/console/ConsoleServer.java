package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.server.AdminTokenBootstrap;
import io.weir.internal.server.WeirServer;
import io.weir.rules.access.NewAccessToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A server with rules in memory, and the load that its pages show. */
final class ConsoleServer implements AutoCloseable {
  static final String ADMIN = "/v1/admin/ratelimit";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final List<String> printed = new CopyOnWriteArrayList<>();
  private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
  private final WeirServer server;
  private final String admin;
  private volatile boolean isLoaded;
  private @Nullable Thread load;
  private @Nullable Connection connection;

  ConsoleServer() {
    this(Map.of());
  }

  /** Starts a server with settings of its own beside those of all tests. */
  ConsoleServer(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.store", "inprocess:");
    settings.put("weir.rules", database);
    settings.put("weir.rules.timeout", "10s"); // a busy machine is no outage
    settings.put("weir.store.timeout", "10s");
    settings.put("weir.access.key", "header:X-Api-Key");
    settings.put("weir.usage.interval", "200ms");
    settings.put("weir.server.listeners", "http");
    settings.put("weir.server.http.port", "0");
    settings.put("weir.server.stop.delay", "1ms");
    settings.putAll(more);
    server = WeirServer.start(settings, new AdminTokenBootstrap(printed::add));
    // A database that another server used before has a token already.
    admin = printed.isEmpty() ? secret("the tests", "weir-admin") : printed.get(0);
  }

  /** Runs a statement on the database, as a person with its password could. */
  synchronized void sql(String statement, Object... values) {
    try (PreparedStatement prepared = connection().prepareStatement(statement)) {
      for (int i = 0; i < values.length; i++) {
        prepared.setObject(i + 1, values[i]);
      }
      prepared.executeUpdate();
    } catch (SQLException failed) {
      throw new IllegalStateException(statement, failed);
    }
  }

  private Connection connection() throws SQLException {
    if (connection == null) {
      connection = DriverManager.getConnection(database);
    }
    return connection;
  }

  String url() {
    return server.listeners().get(0).address();
  }

  /** Makes a token; each opens few sessions a minute. */
  NewAccessToken token(String name, String role, @Nullable String userId) {
    return server
        .rules()
        .tokens()
        .create(name, role, Optional.ofNullable(userId), Optional.empty(), "the tests");
  }

  /** Bans a caller, as a node does that has counted its strikes. */
  void ban(String subject, Duration length, String policy) {
    server
        .rules()
        .policySource()
        .accessList()
        .orElseThrow()
        .ban(
            AccessEntry.ban(AccessSubject.parse(subject), Instant.now().plus(length))
                .withReason("10 strikes by " + policy + " within 10 minutes"),
            policy);
  }

  String secret(String name, String role) {
    return token(name, role, null).secret();
  }

  /** Ends a token and its sessions. */
  void revoke(NewAccessToken token) {
    server.rules().tokens().revoke(token.token().id(), "the tests");
  }

  /** What a request was answered. */
  record Reply(int status, JsonNode body, String version) {}

  Reply send(String method, String path, String body, String... fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url() + path))
            .header("Authorization", "Bearer " + admin)
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    try {
      HttpResponse<String> reply = CLIENT.send(request.build(), BodyHandlers.ofString());
      boolean isJson = reply.headers().firstValue("Content-Type").orElse("").contains("json");
      return new Reply(
          reply.statusCode(),
          isJson ? JSON.readTree(reply.body()) : JSON.nullNode(),
          reply.headers().firstValue("ETag").orElse(""));
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Sends JSON, which must be taken. */
  JsonNode put(String method, String path, String body) {
    Reply reply = send(method, path, body);
    assertEquals(2, reply.status() / 100, () -> path + ": " + reply.body());
    return reply.body();
  }

  /** What an administrator reads of the buckets, refusals and tier of a user. */
  JsonNode caller(String user) {
    return put("POST", ADMIN + "/callers", JSON.createObjectNode().put("userId", user).toString());
  }

  JsonNode get(String path) {
    Reply reply = send("GET", ADMIN + path, "");
    assertEquals(200, reply.status(), () -> path + ": " + reply.body());
    return reply.body();
  }

  /** Adds a rule for a minute, and returns its id. */
  long rule(String tier, String pattern, long limit, String state) {
    return rule(tier, pattern, limit, 60, state);
  }

  /**
   * Adds a rule, and returns its id. Its windows are fixed: what is left of a sliding one may be
   * another in the second between the page's question and the test's.
   */
  long rule(String tier, String pattern, long limit, long seconds, String state) {
    return rule(
        JSON.createObjectNode()
            .put("tier", tier)
            .put("endpointPattern", pattern)
            .put("algorithm", "FIXED_WINDOW")
            .put("limitCount", limit)
            .put("windowSeconds", seconds)
            .put("state", state));
  }

  /**
   * Adds a rule that a test uses up, and returns its id. Its window lasts at least so many seconds,
   * of which at least half is left. Fixed windows end at multiples of their length: of a given
   * length, now and then in the middle of a test, which is then admitted again.
   */
  long ruleToUseUp(String tier, String pattern, long limit, long seconds) {
    long now = Instant.now().getEpochSecond();
    long window = seconds;
    while (now % window > window / 2) {
      window++;
    }
    return rule(tier, pattern, limit, window, "ENFORCED");
  }

  /** Adds a rule as the API takes it, and returns its id. */
  long rule(ObjectNode rule) {
    Reply reply = send("POST", ADMIN + "/rules", rule.toString());
    assertEquals(201, reply.status(), () -> reply.body().toString());
    return reply.body().path("id").asLong();
  }

  /** Has a request decided, and returns whether it is admitted. */
  boolean check(String user, String endpoint) {
    Reply reply =
        send(
            "POST",
            "/v1/ratelimit/check",
            JSON.createObjectNode().put("userId", user).put("endpoint", endpoint).toString());
    assertEquals(200, reply.status(), () -> reply.body().toString());
    return reply.body().path("allowed").asBoolean();
  }

  /** Has a request of each of so many users decided. */
  void checkAll(int first, int users, String endpoint) {
    ArrayNode all = JSON.createArrayNode();
    for (int i = first; i < first + users; i++) {
      all.addObject().put("userId", "caller" + i).put("endpoint", endpoint);
    }
    Reply reply = send("POST", "/v1/ratelimit/check", all.toString());
    assertEquals(200, reply.status(), () -> reply.body().toString());
  }

  /** Reads the rows anew, after they were changed by statements. */
  void refresh() {
    server.rules().refresh();
  }

  /** Has requests of several users decided all the time, some of which are refused. */
  void load(String... users) {
    isLoaded = true;
    Thread thread =
        new Thread(
            () -> {
              for (int i = 0; isLoaded; i++) {
                check(
                    users[i % users.length],
                    i % 3 == 0 ? "/api/posts" : i % 7 == 0 ? "/api/upload" : "/api/search");
                Await.pause();
              }
            },
            "load");
    thread.setDaemon(true);
    thread.start();
    load = thread;
  }

  /** Waits until the load of so long a time is kept for charts. */
  void awaitLoad(Duration length) {
    Instant enough = Instant.now().plus(length);
    while (Instant.now().isBefore(enough)) {
      Instant first = Instant.parse(get("/outcomes/recent").at("/points/0/at").asText());
      if (first.isBefore(Instant.now().minus(length))) {
        return;
      }
      Await.pause();
    }
  }

  /** Has no more requests decided. */
  void endLoad() {
    isLoaded = false;
    try {
      if (load != null) {
        load.join();
      }
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  @Override
  public void close() {
    endLoad();
    Closing.inOrder(connection, server);
  }
}
