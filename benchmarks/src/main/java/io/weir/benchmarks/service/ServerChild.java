package io.weir.benchmarks.service;

import io.weir.benchmarks.rules.Tables;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.server.AdminTokenBootstrap;
import io.weir.internal.server.WeirServer;
import io.weir.internal.server.listener.Listener;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A JVM with the server: users of ten tiers, a rule for each tier, and the same limit for gateways.
 */
public final class ServerChild {
  /** The endpoint of all requests. */
  static final String ENDPOINT = "/api/resources0/7";

  /** The domain of a gateway's requests. */
  static final String DOMAIN = "gateway";

  private static final String LIMITS =
      """
      domain: gateway
      descriptors:
        - key: user
          rate_limit:
            unit: day
            requests_per_unit: 1000000000
      """;
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private ServerChild() {}

  /** Each as long as all others. */
  static String user(int number) {
    return String.format(Locale.ROOT, "user%09d", number);
  }

  /**
   * Prints the addresses of HTTP, gRPC and the Redis protocol, and a token.
   *
   * @param args the store, {@code h2} or {@code postgres} for the rules, and how many users there
   *     are
   */
  public static void main(String[] args) throws Exception {
    Path files = Files.createTempDirectory("weir-benchmark");
    Path limits = Files.writeString(files.resolve("gateway.yaml"), LIMITS);
    boolean isPostgres = args[1].equals("postgres");
    String database =
        isPostgres ? PostgresServer.start().newDatabase() : "jdbc:h2:mem:rules;DB_CLOSE_DELAY=-1";
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.data", files.toString());
    settings.put("weir.secret", "of the benchmarks");
    settings.put("weir.store", args[0]);
    settings.put("weir.rules", database);
    settings.put("weir.rules.default-tier", "tier0");
    settings.put("weir.store.max-buckets", "1000000");
    settings.put("weir.write-back.max-buckets", "200000");
    settings.put("weir.server.http.port", "0");
    settings.put("weir.server.grpc.port", "0");
    settings.put("weir.server.redis.port", "0");
    settings.put("weir.server.stop.delay", "1ms");
    settings.put("weir.server.envoy", limits.toString());
    List<String> tokens = new ArrayList<>();
    WeirServer server = WeirServer.start(settings, new AdminTokenBootstrap(tokens::add));
    fill(database, Integer.parseInt(args[2]));
    awaitRule(server.listeners().get(0).address(), tokens.get(0), Integer.parseInt(args[2]) - 1);
    StringBuilder told = new StringBuilder();
    for (Listener each : server.listeners()) {
      told.append(each.address()).append(' ');
    }
    System.out.println(told + tokens.get(0));
    int unused = System.in.read(); // until the suite says stop, or ends
    server.close();
    System.out.println("stopped");
    System.exit(0);
  }

  private static void fill(String database, int users) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database)) {
      Tables.addRules(connection, Tables.TIERS);
      Tables.addUsers(connection, users, ServerChild::user);
    }
  }

  /** Until the last user's rule is in force. */
  private static void awaitRule(String url, String token, int user)
      throws IOException, InterruptedException {
    String body = "{\"userId\":\"" + user(user) + "\",\"endpoint\":\"" + ENDPOINT + "\"}";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/v1/ratelimit/check"))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpClient client = HttpClient.newHttpClient();
    long end = System.nanoTime() + PATIENCE_NANOS;
    String answer = "";
    while (!answer.contains("\"limit\":" + Tables.LIMIT)) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("no rule holds: " + answer);
      }
      answer = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }
}
