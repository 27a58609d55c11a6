package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.weir.Weir;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.callers.CallerId;
import io.weir.internal.rules.database.MigratedPostgres;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.internal.rules.rulebook.EpochMicros;
import io.weir.internal.rules.rulebook.pattern.EndpointForm;
import io.weir.rules.OperationCost;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.explanation.Explanation;
import io.weir.rules.history.RuleEvent;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules, users and costs of tables that Weir didn't make, beside its own. */
@OneDayIn(2)
class ForeignRowsTest {
  /** As anybody types them, with the columns that the page lists. */
  static final String[] BARE = {
    "CREATE TABLE rate_limit_rules (id INTEGER PRIMARY KEY, tier VARCHAR(50), endpoint_pattern"
        + " VARCHAR(255), limit_count INTEGER, window_seconds INTEGER, created_at TIMESTAMP,"
        + " updated_at TIMESTAMP)",
    "CREATE TABLE user_tiers (user_id VARCHAR(255) PRIMARY KEY, tier VARCHAR(50), custom_limits"
        + " VARCHAR(1000), created_at TIMESTAMP, updated_at TIMESTAMP)",
    "CREATE TABLE operation_costs (id INTEGER PRIMARY KEY, endpoint VARCHAR(255), method"
        + " VARCHAR(10), cost INTEGER)",
    "INSERT INTO rate_limit_rules VALUES (1, 'free', '/a', 7, 60, NULL, NULL)",
    "INSERT INTO user_tiers VALUES ('ann', 'premium', '{\"/a\": 99}', NULL, NULL)",
    "INSERT INTO operation_costs VALUES (1, '/a', 'GET', 5)"
  };

  private static final Path PAGE = Path.of("..", "docs", "rules-tables.md");
  private static final Pattern SQL = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** For tests that wait for a look, in place of a second. */
  private static final Duration SOON = Duration.ofMillis(50);

  private DataSource database;
  private DataSource pool;
  private final List<DefaultRules> nodes = new ArrayList<>();

  enum Kind {
    H2,
    POSTGRES
  }

  private void make(Kind kind) {
    if (kind == Kind.H2) {
      pool =
          JdbcConnectionPool.create(
              "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
      database = pool;
    } else {
      String url = MigratedPostgres.newDatabase();
      database = PostgresServer.source(url);
      pool = MigratedPostgres.pool(url);
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(DefaultRules::close);
    if (pool instanceof HikariDataSource opened) {
      opened.close();
    }
  }

  private void sql(String... statements) {
    List<String> all = new ArrayList<>();
    all.add(
        database instanceof JdbcConnectionPool ? "SET SCHEMA public" : "SET search_path = public");
    all.addAll(List.of(statements));
    if (database instanceof JdbcConnectionPool) {
      all.add("SET SCHEMA public"); // the connection goes back to its pool
    }
    TestSql.run(database, all.toArray(String[]::new));
  }

  private DefaultRules start(Optional<String> tables) {
    return start(tables, Duration.ofSeconds(1));
  }

  private DefaultRules start(Optional<String> tables, Duration interval) {
    RulesOptions options =
        new RulesOptions(
            CallerSettings::of,
            Duration.ofSeconds(10),
            100,
            Optional.empty(),
            true,
            interval,
            UsageOptions.USUAL,
            RulesOptions.USUAL_ANOMALIES,
            Duration.ofSeconds(10),
            tables);
    DefaultRules node = DefaultRules.open(() -> DatabaseOpener.open(pool, true), () -> {}, options);
    nodes.add(node);
    return node;
  }

  private DefaultRules start(Kind kind) {
    return start(kind, Duration.ofSeconds(1));
  }

  private DefaultRules start(Kind kind, Duration interval) {
    make(kind);
    sql(BARE);
    return start(Optional.empty(), interval);
  }

  private static List<Long> limits(DefaultRules node, String endpoint) {
    return node.rulebook().match(EndpointForm.PATH, endpoint, "GET").rules().stream()
        .map(each -> each.rule().limit())
        .toList();
  }

  private static Optional<String> tier(DefaultRules node, String user) {
    return node.callers()
        .find(CallerId.user(user))
        .toCompletableFuture()
        .join()
        .tier(EpochMicros.of(Instant.now()));
  }

  private static String problems(DefaultRules node) {
    return node.problems().stream().map(RuleProblem::toString).collect(Collectors.joining("\n"));
  }

  private static void await(BooleanSupplier condition) {
    Instant end = Instant.now().plus(PATIENCE);
    while (!condition.getAsBoolean()) {
      assertTrue(Instant.now().isBefore(end), "still not after " + PATIENCE);
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @EnumSource
  void twoNodesFollowTheTables(Kind kind) {
    DefaultRules first = start(kind, SOON);
    List<DefaultRules> both = List.of(first, start(Optional.empty(), SOON));
    for (DefaultRules each : both) {
      assertEquals(List.of(7L), limits(each, "/a"));
      assertEquals(Optional.of("premium"), tier(each, "ann"));
      assertEquals(Optional.empty(), tier(each, "bob"));
      assertEquals(OptionalLong.of(5), each.rulebook().cost(EndpointForm.PATH, "/a", "GET"));
    }
    sql(
        "UPDATE rate_limit_rules SET limit_count = 8",
        "UPDATE user_tiers SET tier = 'gold'",
        "INSERT INTO user_tiers (user_id, tier) VALUES ('bob', 'silver')",
        "DELETE FROM operation_costs");
    for (DefaultRules each : both) {
      await(() -> limits(each, "/a").equals(List.of(8L)));
      await(() -> tier(each, "ann").equals(Optional.of("gold")));
      await(() -> tier(each, "bob").equals(Optional.of("silver")));
      await(() -> each.rulebook().cost(EndpointForm.PATH, "/a", "GET").isEmpty());
    }
    assertEquals(
        3,
        TestSql.number(
                database,
                "SELECT COUNT(*) FROM information_schema.columns"
                    + " WHERE LOWER(table_name) = 'operation_costs' AND LOWER(table_schema) = 'public'")
            - 1,
        "no column was added");
  }

  @ParameterizedTest
  @EnumSource
  void aUsersRowOfItsOwnWinsUntilItIsDeletedOrHasEnded(Kind kind) {
    DefaultRules node = start(kind);
    UserTier foreign = node.users().find("ann").orElseThrow();
    assertTrue(foreign.origin().orElseThrow().equalsIgnoreCase("public.user_tiers"));
    UserTier blocked = node.users().save(UserTier.of("ann", "blocked"), "me");
    sql("UPDATE user_tiers SET tier = 'gold'");
    node.refresh();
    assertEquals(Optional.of("blocked"), tier(node, "ann"));
    assertEquals("blocked", node.users().find("ann").orElseThrow().tier());
    assertEquals("gold", node.users().findForeign("ann").orElseThrow().tier());
    node.users().delete("ann", blocked.version(), "me");
    assertEquals(Optional.of("gold"), tier(node, "ann"));
    node.users()
        .save(
            new UserTier(
                "ann",
                "trial",
                List.of(),
                UserState.ENFORCED,
                Optional.of(Instant.now().minusSeconds(1)),
                0),
            "me");
    assertEquals(Optional.of("gold"), tier(node, "ann"));
  }

  @ParameterizedTest
  @EnumSource
  void changesOfTheirRowsAreRefusedAndSayWhereToMakeThem(Kind kind) {
    DefaultRules node = start(kind);
    Rule rule = node.rules().all().get(0);
    assertEquals(rule.origin(), node.rules().find(rule.id()).orElseThrow().origin());
    refused("rate_limit_rules 1", () -> node.rules().save(rule.toBuilder().limit(9).build(), "me"));
    refused("rate_limit_rules 1", () -> node.rules().delete(rule.id(), rule.version(), "me"));
    OperationCost cost = node.costs().all().get(0);
    refused("operation_costs 1", () -> node.costs().save(cost, "me"));
    refused("operation_costs 1", () -> node.costs().delete(cost.id(), cost.version(), "me"));
    sql("UPDATE user_tiers SET custom_limits = NULL");
    UserTier user = node.users().find("ann").orElseThrow();
    refused("user_tiers", () -> node.users().save(user, "me"));
    refused("user_tiers", () -> node.users().delete("ann", user.version(), "me"));
    assertEquals(List.of(7L), limits(node, "/a"));
  }

  private static void refused(String table, Runnable change) {
    String said = assertThrows(ConflictException.class, change::run).getMessage();
    assertTrue(said.toLowerCase(Locale.ROOT).contains("public." + table), said);
    assertTrue(said.contains("change it there"), said);
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatIsAppliedNeitherRemovesNorChangesTheirRows(Kind kind) {
    DefaultRules node = start(kind);
    assertTrue(!node.yaml().export().contains("/a"), "they aren't Weir's to export");
    String same =
        """
        rules:
          - tier: free
            endpoint_pattern: /a
            limit_count: 7
            window_seconds: 60
        """;
    assertEquals(
        List.of("0 added, 0 changed, 0 removed, 1 unchanged"), node.yaml().apply(same, "me"));
    refused("rate_limit_rules 1", () -> node.yaml().apply(same.replace("7", "9"), "me"));
    node.yaml().apply("rules: []\n", "me");
    node.refresh();
    assertEquals(List.of(7L), limits(node, "/a"));
  }

  @ParameterizedTest
  @EnumSource
  void weirsOwnRuleAndCostWinWhereTheirsAreEqual(Kind kind) {
    DefaultRules node = start(kind);
    node.rules().save(Rule.builder("free", "/a").limit(3).build(), "me");
    node.costs().save(new OperationCost(0, "/a", "GET", 2, 0), "me");
    sql("UPDATE rate_limit_rules SET limit_count = 8, updated_at = '2099-01-01 00:00:00'");
    node.refresh();
    assertEquals(List.of(3L), limits(node, "/a"));
    assertEquals(OptionalLong.of(2), node.rulebook().cost(EndpointForm.PATH, "/a", "GET"));
    assertTrue(problems(node).contains("a rule of Weir's own replaces it"), problems(node));
    assertTrue(node.problems().stream().allMatch(RuleProblem::isWarning), problems(node));
  }

  @ParameterizedTest
  @EnumSource
  void aBadRowKeepsItsLastGoodVersionAndOthersTakeEffect(Kind kind) {
    DefaultRules node = start(kind);
    assertEquals(Optional.of("premium"), tier(node, "ann"));
    sql(
        "UPDATE rate_limit_rules SET limit_count = -1",
        "INSERT INTO rate_limit_rules VALUES (2, 'free', '/b', 9, 60, NULL, NULL)",
        "UPDATE user_tiers SET tier = ' '");
    node.refresh();
    assertEquals(List.of(7L), limits(node, "/a"));
    assertEquals(List.of(9L), limits(node, "/b"));
    assertEquals(Optional.of("premium"), tier(node, "ann"));
    assertTrue(
        problems(node).toLowerCase(Locale.ROOT).contains("public.rate_limit_rules 1"),
        problems(node));
    assertTrue(problems(node).contains("tier: must be given"), problems(node));
  }

  @ParameterizedTest
  @EnumSource
  void anExplanationNamesTheTablesAndShowsBothRows(Kind kind) {
    DefaultRules node = start(kind);
    nodes.remove(node); // the application closes it
    try (Weir application = Weir.builder().policySource(node.policySource()).build()) {
      assertEquals(Optional.of(node), Rules.of(application));
      Explanation premium = node.explain(ExplainedRequest.of("GET", "/a", "ann"));
      assertTrue(premium.tier().toLowerCase(Locale.ROOT).endsWith("premium (public.user_tiers)"));
      node.users().save(UserTier.of("ann", "free"), "me");
      Explanation both = node.explain(ExplainedRequest.of("GET", "/a", "ann"));
      assertEquals("free", both.tierName());
      assertEquals(
          "free (user_tiers; public.user_tiers has premium)", both.tier().toLowerCase(Locale.ROOT));
      assertEquals(
          "rule public.rate_limit_rules 1", both.parts().get(0).source().toLowerCase(Locale.ROOT));
    }
  }

  @ParameterizedTest
  @EnumSource
  void listenersHearOfChangesByTableAndId(Kind kind) throws Exception {
    DefaultRules node = start(kind);
    List<String> heard = new CopyOnWriteArrayList<>();
    try (AutoCloseable unused =
        node.onEvent(
            event -> {
              if (event instanceof RuleEvent.Changed changed) {
                heard.add(changed.change().table() + " " + changed.change().rowKey());
              }
            })) {
      node.refresh();
      assertEquals(List.of(), heard);
      sql("UPDATE rate_limit_rules SET limit_count = 8", "DELETE FROM operation_costs");
      node.refresh();
      assertEquals(
          List.of(
              "rate_limit_rules public.rate_limit_rules 1",
              "operation_costs public.operation_costs 1"),
          heard.stream().map(each -> each.toLowerCase(Locale.ROOT)).toList());
      assertEquals(List.of(), node.history().latest(10), "they are in no history");
    }
  }

  @ParameterizedTest
  @EnumSource
  void forgettingAUserSaysWhichTableStillHasARow(Kind kind) {
    DefaultRules node = start(kind);
    node.users().save(UserTier.of("ann", "free"), "me");
    assertEquals(1, node.forget("ann").size());
    assertEquals(List.of(), node.forget("bob"));
    assertEquals(1, TestSql.number(database, "SELECT COUNT(*) FROM public.user_tiers"));
  }

  @ParameterizedTest
  @EnumSource
  void theirUsageIsNeitherReadNorFilled(Kind kind) {
    make(kind);
    sql(
        "CREATE TABLE rate_limit_violations (id INTEGER)",
        "CREATE TABLE user_quotas (user_id INTEGER)",
        "CREATE TABLE user_behaviors (user_id INTEGER)");
    DefaultRules node = start(Optional.empty());
    node.refresh();
    assertEquals("", problems(node));
    for (String each : List.of("rate_limit_violations", "user_quotas", "user_behaviors")) {
      assertEquals(0, TestSql.number(database, "SELECT COUNT(*) FROM public." + each), each);
      assertEquals(
          1,
          TestSql.number(
              database,
              "SELECT COUNT(*) FROM information_schema.columns WHERE LOWER(table_name) = '"
                  + each
                  + "' AND LOWER(table_schema) = 'public'"));
    }
  }

  @Test
  void aLockedTableHoldsUpNoChangeOfWeirsOwn() throws Exception {
    DefaultRules node = start(Kind.POSTGRES, SOON);
    try (java.sql.Connection other = database.getConnection();
        java.sql.Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE rate_limit_rules, user_tiers");
      node.rules().save(Rule.builder("free", "/own").limit(3).build(), "me");
      assertEquals(List.of(3L), limits(node, "/own"));
      assertEquals(List.of(7L), limits(node, "/a"));
      await(() -> problems(node).contains("lock"));
      other.rollback();
    }
    await(() -> problems(node).isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void theViewsOfThePageWorkAsTheyStandThere(Kind kind) throws IOException {
    make(kind);
    List<String> blocks =
        SQL.matcher(Files.readString(PAGE)).results().map(found -> found.group(1)).toList();
    assertEquals(2, blocks.size());
    run(blocks.get(1)); // the tables that the views of the first are of
    run(blocks.get(0));
    sql(
        "INSERT INTO plans VALUES (1, 'gold', 500, NULL, NULL), (2, 'internal', NULL, NULL, NULL)",
        "INSERT INTO accounts VALUES ('ann', 1, 'secret', NULL, NULL)",
        "INSERT INTO endpoints VALUES (1, '/api/search', 'get', 5), (2, '/api/ping', 'get', 1)");
    DefaultRules node = start(Optional.of("weir_views"));
    assertEquals(List.of(500L), limits(node, "/api/x"));
    assertEquals(Optional.of("gold"), tier(node, "ann"));
    assertEquals(OptionalLong.of(5), node.rulebook().cost(EndpointForm.PATH, "/api/search", "GET"));
    assertEquals("", problems(node).replaceAll(".*counts by IP alone.*", ""));
  }

  private void run(String block) {
    for (String each : block.split(";\\s*\n")) {
      if (!each.isBlank()) {
        sql(each);
      }
    }
  }
}
