package io.weir.internal.rules.database.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.H2MemoryTest;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleDatabaseContract;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.SchemaName;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.TransactionRunner;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.database.connection.DatabaseSettings;
import io.weir.internal.rules.database.connection.OpenDatabase;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.seeds.Seeds;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RulesSchemaMigratorTest {
  private static final int NODES = Seeds.deep() ? 20 : 6;
  private static final String NOTED =
      "SELECT version FROM weir."
          + MigrationHistory.TABLE
          + " WHERE version <> '0' ORDER BY version";

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static DataSource fresh(Dialect dialect) {
    return dialect == Dialect.H2
        ? H2MemoryTest.memory()
        : PostgresServer.source(PostgresServer.shared().newDatabase());
  }

  @ParameterizedTest
  @EnumSource
  void manyNodesThatStartTogetherMigrateOnce(Dialect dialect) throws Exception {
    DataSource source = fresh(dialect);
    CyclicBarrier start = new CyclicBarrier(NODES);
    ExecutorService nodes = Executors.newFixedThreadPool(NODES);
    try {
      List<Future<RuleDatabase>> opened = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        opened.add(
            nodes.submit(
                () -> {
                  start.await();
                  return DatabaseOpener.open(source, true);
                }));
      }
      boolean allTell = true;
      for (Future<RuleDatabase> node : opened) {
        allTell &= node.get().tellsChanges();
      }
      // A node that waited in vain for the lock of the others goes on without triggers until it is
      // opened again, which none can keep from the lock now.
      assertTrue(allTell || DatabaseOpener.open(source, true).tellsChanges());
    } finally {
      nodes.shutdownNow();
    }
    assertEquals(versions(dialect), TestSql.texts(source, NOTED));
  }

  @ParameterizedTest
  @EnumSource
  void aNodeWaitsWhileAnotherMigrates(Dialect dialect) throws Exception {
    boolean isH2 = dialect == Dialect.H2;
    DataSource source = fresh(dialect);
    ExecutorService node = Executors.newSingleThreadExecutor();
    try (Connection other = source.getConnection();
        Statement statement = other.createStatement()) {
      statement.execute("CREATE SCHEMA weir");
      statement.execute(MigrationHistory.create(dialect));
      other.setAutoCommit(false);
      if (isH2) {
        MigrationHistory.lock(statement);
      } else {
        statement.execute("SELECT pg_advisory_xact_lock(" + RulesSchemaMigrator.LOCK + ")");
      }
      Future<RuleDatabase> opened = node.submit(() -> DatabaseOpener.open(source, true));
      String waiting =
          isH2
              ? "SELECT count(*) FROM information_schema.sessions WHERE blocker_id IS NOT NULL"
              : "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND"
                  + " wait_event = 'advisory'";
      while (TestSql.text(source, waiting).equals("0")) {
        assertFalse(opened.isDone(), "it doesn't wait");
      }
      assertEquals(List.of(), TestSql.texts(source, NOTED));
      other.rollback();
      // A node that waited too long goes on without triggers.
      assertTrue(opened.get().tellsChanges() || DatabaseOpener.open(source, true).tellsChanges());
    } finally {
      node.shutdownNow();
    }
  }

  private static List<String> versions(Dialect dialect) {
    return MigrationScript.of(dialect).stream().map(MigrationScript::version).toList();
  }

  /** Databases have these: a script that changed would be refused there. */
  @Test
  void scriptsThatHaveRunSomewhereNeverChange() {
    assertEquals(
        List.of(
            "V1__tables.sql -1863599705",
            "V2__history.sql -1283586574",
            "V3__clear_on.sql -850129601",
            "V4__access_list.sql 1058784791",
            "V5__access_list_history.sql -2078742901",
            "V6__bans.sql 1372527489",
            "V7__ban_history.sql 1770720923",
            "V8__scope.sql -473759627"),
        checksums(Dialect.POSTGRESQL));
    assertEquals(
        List.of(
            "V1__tables.sql -1863599705",
            "V2__history.sql -1038078324",
            "V3__clear_on.sql -850129601",
            "V4__access_list.sql 1058784791",
            "V5__access_list_history.sql 67512341",
            "V6__bans.sql 1372527489",
            "V8__scope.sql -473759627"),
        checksums(Dialect.H2));
  }

  private static List<String> checksums(Dialect dialect) {
    return MigrationScript.of(dialect).stream()
        .map(script -> script.file() + " " + script.checksum())
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void aDatabaseOfTheVersionBeforeGetsItsNewColumns(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    TestSql.run(
        source,
        "ALTER TABLE weir.rate_limit_rules DROP COLUMN clear_on",
        "DELETE FROM weir." + MigrationHistory.TABLE + " WHERE version = '3'",
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds)"
            + " VALUES ('free', '/old', 5, 60)");
    RulesUnavailableException told =
        assertThrows(RulesUnavailableException.class, () -> DatabaseOpener.open(source, false));
    assertTrue(told.getMessage().contains("scripts of this version"), told::getMessage);
    assertTrue(told.getMessage().contains("ADD COLUMN IF NOT EXISTS clear_on"), told::getMessage);

    RuleDatabase migrated = DatabaseOpener.open(source, true);
    StoredRow old = migrated.all(RuleTable.RULES).get(0);
    assertEquals(Optional.of("/old"), old.column("endpoint_pattern"));
    assertEquals(Optional.empty(), old.column("clear_on"));
    TestSql.run(source, "UPDATE weir.rate_limit_rules SET clear_on = 'SUCCESS'");
    String after = migrated.changesOf("rate_limit_rules", old.key()).get(0).after().orElse("");
    assertTrue(after.matches(".*\"clear_on\": ?\"SUCCESS\".*"), after);
    assertEquals(versions(dialect), TestSql.texts(source, NOTED));
  }

  @ParameterizedTest
  @EnumSource
  void aDatabaseOfTheVersionBeforeGetsTheAccessListWithItsHistory(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    TestSql.run(
        source,
        "DROP TABLE weir.access_list",
        "DELETE FROM weir." + MigrationHistory.TABLE + " WHERE version IN ('4', '5', '6', '7')");
    MigrationScript.of(dialect).get(1).statements().stream()
        .filter(each -> each.startsWith("CREATE OR REPLACE FUNCTION"))
        .forEach(function -> TestSql.run(source, function));

    RuleDatabase migrated = DatabaseOpener.open(source, true);
    assertTrue(migrated.tellsChanges());
    assertEquals(versions(dialect), TestSql.texts(source, NOTED));
    TestSql.run(
        source,
        "INSERT INTO weir.access_list (action, subject) VALUES ('DENY', '203.0.113.7')",
        "UPDATE weir.access_list SET reason = 'a scraper'",
        (dialect == Dialect.H2 ? "DELETE FROM" : "TRUNCATE") + " weir.access_list");
    assertEquals(3, migrated.changesOf("access_list", "1").size());
    assertEquals(0, migrated.all(RuleTable.ENTRIES).size());
  }

  @ParameterizedTest
  @EnumSource
  void aDatabaseOfTheVersionBeforeGetsTheColumnsOfBansBesideItsEntries(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    TestSql.run(
        source,
        "DROP INDEX weir.access_list_ban_key",
        "DROP INDEX weir.access_list_ban_number",
        "DROP INDEX weir.access_list_policy",
        "ALTER TABLE weir.access_list DROP COLUMN policy",
        "ALTER TABLE weir.access_list DROP COLUMN ban_key",
        "ALTER TABLE weir.access_list DROP COLUMN ban_number",
        "ALTER TABLE weir.weir_duties DROP COLUMN number",
        "DELETE FROM weir." + MigrationHistory.TABLE + " WHERE version IN ('6', '7')",
        "INSERT INTO weir.access_list (action, subject) VALUES ('DENY', '203.0.113.7')");
    MigrationScript.of(dialect).get(4).statements().stream()
        .filter(each -> each.startsWith("CREATE OR REPLACE FUNCTION"))
        .forEach(function -> TestSql.run(source, function));

    RuleDatabase migrated = DatabaseOpener.open(source, true);
    assertTrue(migrated.mayWriteBans());
    assertTrue(migrated.tellsChanges());
    assertEquals(versions(dialect), TestSql.texts(source, NOTED));
    TestSql.run(
        source,
        "INSERT INTO weir.access_list (action, subject, policy, ban_key, ban_number)"
            + " VALUES ('BAN', 'user:mallory', 'login', 'sha256:1', 1)",
        "INSERT INTO weir.access_list (action, subject, ban_number)"
            + " VALUES ('DENY', 'user:hidden', 2)",
        "UPDATE weir.access_list SET ban_number = 3 WHERE subject = 'user:hidden'",
        "UPDATE weir.access_list SET action = 'BAN', ban_number = 4 WHERE subject = 'user:hidden'");
    assertEquals(0, migrated.changesOf("access_list", "2").size(), "a ban by a node");
    assertEquals(3, migrated.changesOf("access_list", "3").size(), "nobody hides entries so");
    assertEquals(1, migrated.all(RuleTable.ENTRIES).size());
  }

  @ParameterizedTest
  @EnumSource
  void aColumnThatTheTableLacksIsReadAsNullUntilItIsAdded(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    TestSql.run(
        source,
        "ALTER TABLE weir.rate_limit_rules DROP COLUMN clear_on",
        "DROP TABLE weir." + MigrationHistory.TABLE);
    RuleDatabase asItIs = DatabaseOpener.open(source, false);
    StoredRow rule = asItIs.insert(RuleTable.RULES, RuleDatabaseContract.RULE, "alice");
    assertEquals(List.of(rule), asItIs.all(RuleTable.RULES));
    assertEquals(rule.key(), asItIs.update(rule, RuleDatabaseContract.RULE, "bob").key());
    Map<String, String> clearing = new HashMap<>(RuleDatabaseContract.RULE);
    clearing.put("clear_on", "SUCCESS");
    RuleProblem refused =
        assertThrows(
                InvalidRuleException.class, () -> asItIs.insert(RuleTable.RULES, clearing, "alice"))
            .problems()
            .get(0);
    assertEquals("clear_on", refused.field());
    assertTrue(refused.message().contains("no such column yet"), refused::message);

    RuleDatabase repaired = DatabaseOpener.open(source, true);
    repaired.insert(RuleTable.RULES, clearing, "alice");
    assertEquals(2, repaired.all(RuleTable.RULES).size());
    TestSql.run(source, "ALTER TABLE weir.rate_limit_rules DROP COLUMN clear_on");
    assertTrue(
        look(source).missing().toString().contains("ADD COLUMN IF NOT EXISTS clear_on"),
        "though its script has run");
    assertEquals(2, DatabaseOpener.open(source, false).all(RuleTable.RULES).size());
    DatabaseOpener.open(source, true);
    assertEquals(List.of(), look(source).missing());
  }

  private static RulesSchema look(DataSource source) {
    return new TransactionRunner(source, TIMEOUT, SchemaName.USUAL)
        .read("the schema", connection -> new RulesSchema(connection, SchemaName.USUAL));
  }

  @ParameterizedTest
  @EnumSource
  void aDatabaseOfANewerVersionIsRefusedByName(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    TestSql.run(
        source,
        "INSERT INTO weir."
            + MigrationHistory.TABLE
            + " VALUES ('99', 'V99__more.sql', 1, CURRENT_TIMESTAMP)");
    assertRefused(source, "V99__more.sql has run, and this version ends with V");
    assertTrue(DatabaseOpener.open(source, false).tellsChanges(), "as it is");
  }

  @ParameterizedTest
  @EnumSource
  void aHistoryThatContradictsIsRefusedByName(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    String update = "UPDATE weir." + MigrationHistory.TABLE + " SET ";
    TestSql.run(source, update + "checksum = 17 WHERE version = '2'");
    assertRefused(source, "as version 2: V2__history.sql with the checksum 17, and this version");
  }

  private static void assertRefused(DataSource source, String why) {
    String told =
        assertThrows(IllegalStateException.class, () -> DatabaseOpener.open(source, true))
            .getMessage();
    assertTrue(told.contains(why), told);
    assertTrue(told.contains(MigrationHistory.TABLE), told);
  }

  /** H2 commits each statement, so a node that was killed leaves a part of a script. */
  @Test
  void aStartThatWasCutOffIsCompletedInH2() throws SQLException {
    DataSource source = fresh(Dialect.H2);
    try (Connection killed = source.getConnection();
        Statement statement = killed.createStatement()) {
      statement.execute("CREATE SCHEMA weir");
      statement.execute(MigrationHistory.create(Dialect.H2));
    }
    List<String> tables = MigrationScript.of(Dialect.H2).get(0).statements();
    TestSql.run(source, tables.subList(0, tables.size() / 2).toArray(String[]::new));
    assertTrue(DatabaseOpener.open(source, true).tellsChanges());
    assertEquals(versions(Dialect.H2), TestSql.texts(source, NOTED));
  }

  @Test
  void aConnectionThatBreaksInTheMiddleOfAScriptIsReplacedInPostgres() throws Exception {
    DataSource source = fresh(Dialect.POSTGRESQL);
    String create = MigrationScript.of(Dialect.POSTGRESQL).get(0).statements().get(1);
    TestSql.run(source, "CREATE SCHEMA weir", create);
    ExecutorService node = Executors.newSingleThreadExecutor();
    try (Connection holder = source.getConnection();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("LOCK TABLE weir.user_tiers IN ACCESS EXCLUSIVE MODE");
      Future<RuleDatabase> opened = node.submit(() -> DatabaseOpener.open(source, true));
      String kill =
          "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname ="
              + " current_database() AND wait_event_type = 'Lock'";
      while (TestSql.text(source, kill).equals("0")) {
        Thread.onSpinWait();
      }
      holder.rollback();
      assertTrue(opened.get().tellsChanges());
      assertEquals(versions(Dialect.POSTGRESQL), TestSql.texts(source, NOTED));
    } finally {
      node.shutdownNow();
    }
  }

  /** In a pool whose other statements are cancelled soon: to make an index takes long. */
  @Test
  void statementsOfMigrationsAreNotCancelled() throws SQLException {
    String url = PostgresServer.shared().newDatabase();
    TestSql.run(
        PostgresServer.source(url),
        "CREATE FUNCTION slow() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM"
            + " pg_sleep(1.2); END $$",
        "CREATE EVENT TRIGGER slow ON ddl_command_start WHEN TAG IN ('CREATE FUNCTION') EXECUTE"
            + " FUNCTION slow()");
    DatabaseSettings settings = new DatabaseSettings(url, "", "", 2, Duration.ofSeconds(2));
    try (OpenDatabase database = DatabaseOpener.connect(settings)) {
      try (Connection usual = database.source().getConnection();
          Statement statement = usual.createStatement()) {
        assertEquals(1, statement.getQueryTimeout());
      }
      assertTrue(DatabaseOpener.open(database.source(), true).tellsChanges());
    }
  }

  @ParameterizedTest
  @EnumSource
  void allConnectionsGoBackToTheirPool(Dialect dialect) {
    String url =
        dialect == Dialect.H2
            ? "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"
            : PostgresServer.shared().newDatabase();
    DatabaseSettings settings = new DatabaseSettings(url, "", "", 2, Duration.ofSeconds(5));
    try (OpenDatabase database = DatabaseOpener.connect(settings)) {
      assertTrue(DatabaseOpener.open(database.source(), true).tellsChanges());
      HikariPoolMXBean pool = ((HikariDataSource) database.source()).getHikariPoolMXBean();
      assertEquals(0, pool.getActiveConnections());
    }
  }

  @ParameterizedTest
  @EnumSource
  void goesTogetherWithAnApplicationsOwnFlyway(Dialect dialect) {
    DataSource source = fresh(dialect);
    Flyway own =
        Flyway.configure()
            .dataSource(source)
            .locations("classpath:io/weir/internal/rules/database/application")
            .load();
    assertEquals(1, own.migrate().migrationsExecuted);
    RuleDatabase database = DatabaseOpener.open(source, true);
    assertTrue(database.tellsChanges());
    database.insert(RuleTable.RULES, RuleDatabaseContract.RULE, "alice");
    assertEquals(0, own.migrate().migrationsExecuted);
    assertEquals(1, DatabaseOpener.open(source, true).all(RuleTable.RULES).size());
    assertEquals("1", TestSql.text(source, "SELECT COUNT(*) FROM public.orders"));
  }

  @ParameterizedTest
  @EnumSource
  void anApplicationsFlywayThatComesSecondNeedsNoBaseline(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    Flyway own =
        Flyway.configure()
            .dataSource(source)
            .locations("classpath:io/weir/internal/rules/database/application")
            .load();
    assertEquals(1, own.migrate().migrationsExecuted);
    assertTrue(DatabaseOpener.open(source, true).tellsChanges());
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsLockedWhereAllIsThere(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    AtomicInteger connections = new AtomicInteger();
    RulesSchema schema = migrated(source, counting(source, connections));
    assertEquals(List.of(), schema.missing());
    assertEquals(0, connections.get(), "connections of migrations");
  }

  @ParameterizedTest
  @EnumSource
  void aScriptThatHasntRunRuns(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    String latest = " FROM weir." + MigrationHistory.TABLE + " WHERE version = '2'";
    TestSql.run(source, "DELETE" + latest);
    AtomicInteger connections = new AtomicInteger();
    migrated(source, counting(source, connections));
    assertTrue(connections.get() > 0, "a migration has run");
    assertEquals("1", TestSql.text(source, "SELECT COUNT(*)" + latest));
  }

  @Test
  void aStartWhoseScriptsCantRunSaysSoAtOnce() {
    DataSource source = fresh(Dialect.POSTGRESQL);
    TestSql.run(
        source,
        "CREATE SEQUENCE public.attempts",
        "CREATE FUNCTION public.refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " PERFORM nextval('public.attempts'); RAISE 'no tables today'; END $$",
        "CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('CREATE TABLE')"
            + " EXECUTE FUNCTION public.refuse()");
    assertTold(source, "no tables today");
    assertEquals("1", TestSql.text(source, "SELECT last_value FROM public.attempts"));
  }

  @Test
  void aStartOnTablesThatCanOnlyBeReadSaysSoAtOnce() {
    String url = PostgresServer.shared().newDatabase();
    DataSource source = PostgresServer.source(url);
    DatabaseOpener.open(source, true);
    TestSql.run(
        source,
        "DELETE FROM weir." + MigrationHistory.TABLE + " WHERE version = '2'",
        "ALTER DATABASE "
            + url.replaceAll(".*/(\\w+)\\?.*", "$1")
            + " SET default_transaction_read_only = on");
    AtomicInteger connections = new AtomicInteger();
    DataSource counted = counting(source, connections);
    assertThrows(RulesUnavailableException.class, () -> migrated(source, counted));
    assertEquals(1, connections.get(), "attempts");
  }

  @Test
  void nothingIsMadeInASchemaThatAStrangerMakesMeanwhile() {
    String url = PostgresServer.shared().newDatabase();
    DataSource source = PostgresServer.source(url);
    String stranger = "stranger_of_" + url.replaceAll(".*/(\\w+)\\?.*", "$1");
    TestSql.run(source, "CREATE ROLE " + stranger);
    DataSource faster =
        before(
            source,
            () ->
                TestSql.run(source, "CREATE SCHEMA IF NOT EXISTS weir AUTHORIZATION " + stranger));
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> migrated(source, faster));
    assertTrue(refused.getMessage().contains(stranger + " owns the schema. "));
    assertEquals(
        List.of(),
        TestSql.texts(source, "SELECT tablename FROM pg_tables WHERE schemaname = 'weir'"));
  }

  private static void assertTold(DataSource source, String why) {
    RulesUnavailableException told =
        assertThrows(RulesUnavailableException.class, () -> DatabaseOpener.open(source, true));
    assertTrue(String.valueOf(told.getCause()).contains(why), () -> "" + told.getCause());
  }

  private static RulesSchema migrated(DataSource source, DataSource ofMigrations) {
    TransactionRunner transactions = new TransactionRunner(source, TIMEOUT, SchemaName.USUAL);
    return new RulesSchemaMigrator(ofMigrations, transactions, SchemaName.USUAL, Set.of())
        .run(true);
  }

  private static DataSource counting(DataSource source, AtomicInteger connections) {
    return before(source, connections::incrementAndGet);
  }

  /** Does something before each connection. */
  private static DataSource before(DataSource source, Runnable first) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("getConnection")) {
            first.run();
          }
          return method.invoke(source, arguments);
        };
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, handler);
  }
}
