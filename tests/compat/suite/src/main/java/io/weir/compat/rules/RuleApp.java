package io.weir.compat.rules;

import io.weir.Weir;
import io.weir.compat.UserlessCondition;
import io.weir.rules.OperationCost;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.Rules;
import io.weir.rules.SwitchState;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;

/**
 * An application on a server, whose rules are in a database in memory, and a client of it. Only the
 * test moves its clock.
 *
 * <p>Callers sign in by the header field User, have a key in X-Api-Key, and may come from any
 * address by X-Forwarded-For.
 */
public final class RuleApp implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final String AUTHOR = "the test";

  private final JdbcDataSource database = new JdbcDataSource();
  private final FakeTicker ticker = new FakeTicker(Instant.now().truncatedTo(ChronoUnit.HOURS));
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Rules rules;
  private final Weir weir;
  private final Serving server;

  /**
   * A running server.
   *
   * @param base the application's address, without a slash at the end
   * @param stop stops it
   */
  public record Serving(URI base, AutoCloseable stop) {}

  /** Starts the server under test. */
  @FunctionalInterface
  public interface Starter {
    /**
     * Starts it.
     *
     * @param weir the Weir of the application
     * @return the running server
     * @throws Exception if the application is refused
     */
    Serving start(Weir weir) throws Exception;
  }

  private RuleApp(Starter starter) throws Exception {
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    rules =
        Rules.builder(database).caller("header:X-Api-Key").timeout(Duration.ofSeconds(10)).build();
    weir =
        Weir.builder()
            .ticker(ticker)
            .requestCondition(UserlessCondition.OF_PASSWORDS, UserlessCondition.ofPasswords())
            .requestCondition(UserlessCondition.OF_USERS, UserlessCondition.ofUsers())
            .settings(Map.of("weir.proxy.trusted", "127.0.0.1", "weir.store.timeout", "10s"))
            .policySource(rules.policySource())
            .build();
    server = starter.start(weir);
  }

  static RuleApp start(Starter starter) throws Exception {
    return new RuleApp(starter);
  }

  /** Removes all rules and all counts. */
  void forget() {
    for (String table : List.of("rate_limit_rules", "user_tiers", "operation_costs", "switches")) {
      sql("DELETE FROM weir." + table);
    }
    pass(Duration.ofHours(2));
  }

  /** Changes the database as other clients do, and waits until the change is read. */
  void sql(String statement) {
    try (Connection connection = database.getConnection();
        Statement each = connection.createStatement()) {
      each.execute(statement);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
    rules.refresh();
  }

  Rules rules() {
    return rules;
  }

  Weir weir() {
    return weir;
  }

  /** Adds a limit per minute, named after its pattern. */
  Rule rule(String tier, String pattern, long limit) {
    return save(Rule.builder(tier, pattern).limit(limit));
  }

  /** Adds a limit per minute. */
  Rule rule(String tier, String pattern, String name, long limit) {
    return save(Rule.builder(tier, pattern).name(name).limit(limit));
  }

  Rule save(RuleBuilder rule) {
    return rules.rules().save(rule.build(), AUTHOR);
  }

  void user(String userId, String tier, OwnLimit... own) {
    Optional<UserTier> before = rules.users().find(userId);
    long version = before.map(UserTier::version).orElse(0L);
    rules
        .users()
        .save(
            new UserTier(userId, tier, List.of(own), UserState.ENFORCED, Optional.empty(), version),
            AUTHOR);
  }

  void cost(String endpoint, String method, long cost) {
    rules.costs().save(new OperationCost(0, endpoint, method, cost, 0), AUTHOR);
  }

  void switchTo(SwitchState state, String policy) {
    Instant end = Instant.now().plus(Duration.ofDays(29));
    rules.switches().set(new PolicySwitch(policy, state, end, "a test", AUTHOR));
  }

  /** Advances the clock. */
  void pass(Duration time) {
    ticker.advance(time);
  }

  /** Runs something with another value of a setting. */
  void withSetting(String name, String value, Runnable work) {
    System.setProperty(name, value);
    try {
      settingsAgain();
      work.run();
    } finally {
      System.clearProperty(name);
      settingsAgain();
    }
  }

  private void settingsAgain() {
    weir.refresh();
    pass(Duration.ofSeconds(2)); // costs by method are kept for a second
  }

  Reply get(String path, String... fields) {
    return send("GET", path, fields);
  }

  Reply send(String method, String path, String... fields) {
    return send(HttpRequest.BodyPublishers.noBody(), method, path, fields);
  }

  Reply post(String path, String type, String body, String... fields) {
    List<String> all = new ArrayList<>(List.of(fields));
    all.addAll(List.of("Content-Type", type));
    return send(
        HttpRequest.BodyPublishers.ofString(body), "POST", path, all.toArray(String[]::new));
  }

  private Reply send(HttpRequest.BodyPublisher body, String method, String path, String... fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.base() + path))
            .timeout(LONGEST)
            .method(method, body);
    if (fields.length > 0) {
      request.headers(fields);
    }
    try {
      HttpResponse<String> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Reply(response.statusCode(), response.headers(), response.body());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  /** Counts how many of some requests are admitted. */
  int admitted(int requests, String path, String... fields) {
    return (int)
        IntStream.range(0, requests).filter(each -> get(path, fields).status() == 200).count();
  }

  @Override
  public void close() throws Exception {
    weir.close();
    server.stop().close();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN");
    }
  }
}
