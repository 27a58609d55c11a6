package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.RedisServer;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Runs the pages about rules, on PostgreSQL unless they name H2 themselves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RulesPagesTest {
  private static final List<String> PAGES =
      List.of("rules.md", "rules-change.md", "quotas.md", "usage.md", "rules-database.md");
  private static final List<String> IMPORTS =
      List.of(
          "io.weir",
          "io.weir.access",
          "io.weir.rules",
          "io.weir.rules.outcome",
          "io.weir.rules.quota",
          "io.weir.rules.usage",
          "java.time",
          "java.util");

  private String database;
  private Path folder;
  private Weir weir;
  private Rules rules;
  private JavaSnippets snippets;
  private PageShell shell;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    folder = directory;
    database = PostgresServer.shared().newDatabase();
    // Roles that the pages take for granted.
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ROLE weir LOGIN SUPERUSER");
      statement.execute("CREATE ROLE app LOGIN");
      leaveASnapshot(statement);
    }
    weir = weir(Map.of());
    rules = Rules.of(weir).orElseThrow();
    snippets = new JavaSnippets(Files.createDirectory(folder.resolve("java")), IMPORTS);
    int port = RedisServer.freePort();
    shell =
        new PageShell(Files.createDirectory(folder.resolve("shell")))
            .replace("http://127.0.0.1:8080", "http://127.0.0.1:" + port)
            .replace("$(ls ~/.m2/repository/com/h2database/h2/*/h2-*.jar | tail -1)", h2());
    MavenStandIn.into(shell, port, database);
  }

  /** Makes what a snapshot of Weir has left, as far as the page drops it. */
  private static void leaveASnapshot(Statement statement) throws SQLException {
    for (String function : List.of("weir_change", "weir_stamp")) {
      statement.execute(
          "CREATE FUNCTION public."
              + function
              + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$");
    }
    for (String table :
        List.of(
            "rule_changes switches quota_grants quota_periods usage_minutes usage_hourly"
                .concat(" usage_daily usage_total anomalies tier_upgrade_requests")
                .concat(" weir_access_tokens weir_sessions weir_nodes weir_duties")
                .concat(" weir_forgotten weir_forgotten_digests weir_outcomes_hourly")
                .concat(" weir_adopted weir_schema_history")
                .split(" "))) {
      statement.execute("CREATE TABLE public." + table + " ()");
    }
  }

  private static String h2() {
    return Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
        .filter(each -> each.matches(".*h2-[0-9.]+jar"))
        .findFirst()
        .orElseThrow();
  }

  private Weir weir(Map<String, String> more) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("weir.rules", database);
    settings.put("weir.rules.timeout", "10s");
    settings.put("weir.store.timeout", "10s");
    settings.put("weir.usage.interval", "100ms");
    settings.putAll(more);
    return Weir.builder().onlyGivenSettings().settings(settings).build();
  }

  @AfterAll
  void stop() throws Exception {
    snippets.close();
    weir.close();
  }

  @TestFactory
  Stream<DynamicContainer> everyBlock() {
    return PAGES.stream()
        .map(
            page ->
                DynamicContainer.dynamicContainer(
                    page,
                    Stream.concat(
                        Stream.of(DynamicTest.dynamicTest("without rows", this::clear)),
                        tests(page))));
  }

  /** Deletes what the page before has made. */
  private void clear() throws SQLException {
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM weir.rate_limit_rules");
      statement.execute("DELETE FROM weir.user_tiers");
    }
  }

  private Stream<DynamicTest> tests(String page) {
    return PageRun.of(MarkdownPage.read(page))
        .with("sh", shell::run)
        .with("", shell::hasPrintedText)
        .with("sql", this::sql)
        .with("json", this::ownLimits)
        .with("yaml", block -> rules.yaml().apply(block.text(), "test"))
        .with("java", block -> snippets.run(block, variables()))
        .with("properties", this::load)
        .tests();
  }

  /** Gives a user limits of its own beside rules of its tier, each of which must be read. */
  private void ownLimits(CodeBlock block) throws SQLException {
    for (String pattern : List.of("/api/*", "/api/search")) {
      rules.rules().save(Rule.builder("premium", pattern).limit(1_000).build(), "test");
    }
    try (Connection connection = DriverManager.getConnection(database);
        PreparedStatement statement =
            connection.prepareStatement(
                "UPDATE weir.user_tiers SET custom_limits = ? WHERE user_id = 'alice'")) {
      statement.setString(1, block.text());
      assertEquals(1, statement.executeUpdate());
    }
    assertEquals(3, rules.users().find("alice").orElseThrow().ownLimits().size());
  }

  private void sql(CodeBlock block) throws Exception {
    PageSql.run(block, database);
    rules.refresh();
    List<String> unusable =
        rules.problems().stream().filter(each -> !each.isWarning()).map(Object::toString).toList();
    assertTrue(unusable.isEmpty(), unusable::toString);
  }

  /** Starts an application with settings of the page, in a directory and database of the test. */
  private void load(CodeBlock block) throws Exception {
    Map<String, String> settings = PageSettings.read(block);
    settings.computeIfPresent(
        "weir.rules",
        (name, address) ->
            address
                .replace("jdbc:h2:file:./data", "jdbc:h2:file:" + folder)
                .replace(
                    "jdbc:postgresql://db.example.org/weir", database.replaceFirst("\\?.*", "")));
    try (Weir node = weir(settings)) {
      Rules.of(node).orElseThrow().refresh();
    }
  }

  private Map<String, Object> variables() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(database);
    Instant now = Instant.now();
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    Map<String, Object> variables = new LinkedHashMap<>();
    variables.put("Weir weir", weir);
    variables.put("Rules rules", rules);
    variables.put("javax.sql.DataSource dataSource", source);
    variables.put("Instant now", now);
    variables.put("Instant end", now.plus(Duration.ofDays(30)));
    variables.put("Instant anHourAgo", now.minus(Duration.ofHours(1)));
    variables.put("Instant yesterday", now.minus(Duration.ofDays(1)));
    variables.put("Instant lastWeek", now.minus(Duration.ofDays(7)));
    variables.put("Instant midnight", today.atStartOfDay().toInstant(ZoneOffset.UTC));
    variables.put("LocalDate today", today);
    variables.put("LocalDate firstOfMonth", today.withDayOfMonth(1));
    return variables;
  }
}
