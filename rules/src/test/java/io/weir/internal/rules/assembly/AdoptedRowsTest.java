package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.callers.CallerId;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.internal.rules.rulebook.EpochMicros;
import io.weir.internal.rules.rulebook.pattern.EndpointForm;
import io.weir.rules.Rule;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.UserTier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows of adopted tables with types and values that Weir wouldn't have made. */
class AdoptedRowsTest {
  private static final String RULES =
      "CREATE TABLE rate_limit_rules (id %s PRIMARY KEY, tier VARCHAR(50), endpoint_pattern"
          + " VARCHAR(255), limit_count %s, window_seconds INTEGER, created_at TIMESTAMP,"
          + " updated_at TIMESTAMP)";
  private static final String UUID_ID = "'6f1c7e2a-0000-4000-8000-000000000001'";

  private DataSource database;
  private DefaultRules rules;

  enum Kind {
    H2,
    POSTGRES;

    DataSource make() {
      if (this == H2) {
        return JdbcConnectionPool.create(
            "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
      }
      return PostgresServer.source(PostgresServer.shared().newDatabase());
    }
  }

  @AfterEach
  void stop() {
    rules.close();
  }

  private void sql(String... statements) {
    TestSql.run(database, statements);
  }

  private void start() {
    start(false);
  }

  private void start(boolean migrate) {
    RulesOptions parts =
        new RulesOptions(
            CallerSettings::of,
            Duration.ofSeconds(10),
            100,
            Optional.empty(),
            true,
            Duration.ofSeconds(10));
    rules = DefaultRules.open(() -> DatabaseOpener.open(database, migrate), () -> {}, parts);
  }

  private List<Long> limits(String endpoint) {
    return rules.rulebook().match(EndpointForm.PATH, endpoint, "GET").rules().stream()
        .map(each -> each.rule().limit())
        .toList();
  }

  private List<String> problems() {
    return rules.problems().stream().map(RuleProblem::toString).toList();
  }

  @ParameterizedTest
  @EnumSource
  void anIdThatIsNoNumberIsAProblemOfThatRowAlone(Kind kind) {
    database = kind.make();
    sql(
        String.format(RULES, "INTEGER", "INTEGER"),
        "INSERT INTO rate_limit_rules VALUES (1, 'free', '/a', 7, 60, NULL, NULL)",
        "CREATE TABLE operation_costs (id UUID PRIMARY KEY, endpoint VARCHAR(255), method"
            + " VARCHAR(10), cost INTEGER)",
        "INSERT INTO operation_costs VALUES (" + UUID_ID + ", '/a', 'GET', 5)");
    start();
    assertEquals(List.of(7L), limits("/a"));
    assertEquals(OptionalLong.empty(), rules.rulebook().cost(EndpointForm.PATH, "/a", "GET"));
    assertTrue(
        problems().get(0).startsWith("operation_costs id 6f1c7e2a")
            && problems().get(0).endsWith("id: must be a whole number"),
        problems().toString());
    sql(
        "INSERT INTO rate_limit_rules VALUES (2, 'free', '/b', 8, 60, NULL, NULL)",
        "UPDATE operation_costs SET method = 'POST'");
    rules.refresh();
    assertEquals(List.of(8L), limits("/b"), "it isn't frozen");
    assertEquals(List.of(), rules.costs().all());
    assertTrue(rules.yaml().export().contains("/b"));
  }

  @ParameterizedTest
  @EnumSource
  void aTierThatNothingLimitsIsReportedUntilItIsMended(Kind kind) {
    database = kind.make();
    sql(
        String.format(RULES, "INTEGER", "INTEGER"),
        "INSERT INTO rate_limit_rules VALUES (1, 'premium', '/a', 7, 60, NULL, NULL)",
        "CREATE TABLE user_tiers (user_id VARCHAR(255) PRIMARY KEY, tier VARCHAR(50),"
            + " custom_limits TEXT, created_at TIMESTAMP, updated_at TIMESTAMP)",
        "INSERT INTO user_tiers (user_id, tier) VALUES ('alice', 'premuim')");
    start();
    assertEquals(List.of(), problems());
    CallerId alice = CallerId.user("alice").orElseThrow();
    rules.callers().find(Optional.of(alice)).toCompletableFuture().join();
    assertTrue(problems().toString().contains("tier: neither a rule"), problems().toString());
    assertFalse(problems().toString().contains("alice"));
    sql("INSERT INTO rate_limit_rules VALUES (2, 'premuim', '/b', 8, 60, NULL, NULL)");
    rules.refresh();
    assertEquals(List.of(), problems());
    UserTier all = UserTier.of("bob", "*");
    assertThrows(InvalidRuleException.class, () -> rules.users().save(all, "me"));
    rules.users().save(UserTier.of("bob", "unlimited"), "me");
  }

  @ParameterizedTest
  @EnumSource
  void usersThatAreNumbersAreFoundAndForgotten(Kind kind) {
    usersOfType(kind, "BIGINT", "7", "70", "07", "7.0", "7e0", "+7");
  }

  @ParameterizedTest
  @EnumSource
  void usersThatAreUuidsAreFoundAndForgotten(Kind kind) {
    String id = UUID_ID.replace("'", "");
    usersOfType(kind, "UUID", id, id.replace("1", "2"), id.toUpperCase(Locale.ROOT), "6-0-4-8-1");
  }

  private void usersOfType(Kind kind, String type, String id, String other, String... none) {
    database = kind.make();
    sql(
        String.format(RULES, "INTEGER", "INTEGER"),
        "CREATE TABLE user_tiers (user_id "
            + type
            + " PRIMARY KEY, tier VARCHAR(50),"
            + " custom_limits TEXT, created_at TIMESTAMP, updated_at TIMESTAMP)",
        "CREATE TABLE rate_limit_violations (id INTEGER PRIMARY KEY, user_id "
            + type
            + ","
            + " endpoint VARCHAR(255), timestamp TIMESTAMP, attempted_count INTEGER)",
        "INSERT INTO user_tiers (user_id, tier) VALUES ('" + id + "', 'premium')",
        "INSERT INTO user_tiers (user_id, tier) VALUES ('" + other + "', 'gold')");
    start(true);
    assertEquals(Optional.of("premium"), tier(id));
    assertEquals(Optional.of("gold"), tier(other));
    List<String> others = new ArrayList<>(List.of(none));
    others.addAll(List.of("alice", "sha256:ab", ""));
    for (String each : others) {
      assertEquals(Optional.empty(), tier(each), each);
      rules.forget(each.isEmpty() ? "bob" : each);
    }
    Instant now = Instant.now();
    assertEquals(List.of(), rules.usage().violationsOf("alice", now.minusSeconds(9), now, 10));
    sql("UPDATE user_tiers SET tier = 'silver'");
    rules.forget(id);
    rules.refresh();
    assertEquals(Optional.empty(), tier(id));
    assertEquals(Optional.of("silver"), tier(other));
    assertEquals(1, rules.users().list(Optional.empty(), Optional.empty(), "", 10).size());
    assertEquals(1, rules.history().of("user_tiers", id).size(), "that it was forgotten");
    assertFalse(rules.history().of("user_tiers", other).isEmpty());
  }

  private Optional<String> tier(String userId) {
    return CallerId.user(userId)
        .flatMap(
            each ->
                rules
                    .callers()
                    .find(Optional.of(each))
                    .toCompletableFuture()
                    .join()
                    .tier(EpochMicros.of(Instant.now())));
  }

  @ParameterizedTest
  @EnumSource
  void aRowComesBackWhoseTableHasAColumnOfItsOwn(Kind kind) {
    database = kind.make();
    sql(
        String.format(RULES, "INTEGER", "INTEGER"),
        "ALTER TABLE rate_limit_rules ADD description VARCHAR(100)");
    start(true);
    sql(
        "INSERT INTO rate_limit_rules (id, tier, endpoint_pattern, limit_count, window_seconds,"
            + " description) VALUES (1, 'free', '/a', 7, 60, 'first')");
    long added = rules.history().latest(1).get(0).number();
    sql("UPDATE rate_limit_rules SET limit_count = 8, description = 'second'");
    rules.history().restore(added, "bob");
    assertEquals(List.of(7L), limits("/a"));
    assertEquals(1, count("description = 'second' AND limit_count = 7"));
    sql("DELETE FROM rate_limit_rules");
    rules.history().restore(added, "bob");
    assertEquals(List.of(7L), limits("/a"));
  }

  private long count(String where) {
    return TestSql.number(database, "SELECT COUNT(*) FROM rate_limit_rules WHERE " + where);
  }

  @ParameterizedTest
  @EnumSource
  void aVersionOfSomebodyElsesIsNone(Kind kind) {
    database = kind.make();
    sql(
        String.format(RULES, "INTEGER", "INTEGER"),
        "ALTER TABLE rate_limit_rules ADD version VARCHAR(10)",
        "INSERT INTO rate_limit_rules VALUES (1, 'free', '/a', 7, 60, NULL, NULL, 'v1.2')");
    start();
    assertEquals(List.of(7L), limits("/a"));
    assertEquals("free", rules.rules().find(1).map(Rule::tier).orElseThrow());
  }

  @ParameterizedTest
  @EnumSource(names = "POSTGRES")
  void aNumberThatIsNoneIsAProblemOfThatRowAlone(Kind kind) {
    database = kind.make();
    sql(
        String.format(RULES, "INTEGER", "NUMERIC"),
        "INSERT INTO rate_limit_rules VALUES (1, 'free', '/a', 'NaN', 60, NULL, NULL)",
        "INSERT INTO rate_limit_rules VALUES (2, 'free', '/b', 8, 60, NULL, 'infinity')");
    start();
    assertEquals(List.of(), limits("/a"));
    assertEquals(List.of(8L), limits("/b"));
    assertTrue(problems().toString().contains("limit_count: must be a whole number"));
  }
}
