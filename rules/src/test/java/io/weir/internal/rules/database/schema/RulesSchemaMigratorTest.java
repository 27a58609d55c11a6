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
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.TransactionRunner;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.database.connection.DatabaseSettings;
import io.weir.internal.rules.database.connection.OpenDatabase;
import io.weir.seeds.Seeds;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RulesSchemaMigratorTest {
  private static final int NODES = Seeds.deep() ? 20 : 6;
  private static final String NOTED =
      "SELECT \"version\" FROM \""
          + MigrationHistory.TABLE
          + "\" WHERE \"success\" AND \"type\" = 'SQL' ORDER BY \"installed_rank\"";

  private static final String EACH =
      "SELECT \"version\" || ' ' || \"description\" || ' ' || \"type\" || ' ' || \"script\" || ' '"
          + " || \"checksum\" FROM \""
          + MigrationHistory.TABLE
          + "\" WHERE \"type\" = 'SQL' ORDER BY \"installed_rank\"";

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
    assertEquals(
        dialect == Dialect.H2 ? "6" : "8",
        TestSql.text(
            source,
            "SELECT COUNT(*) FROM \""
                + MigrationHistory.TABLE
                + "\" WHERE \"success\" AND \"type\" = 'SQL'"));
  }

  @ParameterizedTest
  @EnumSource
  void aNodeWaitsWhileAnotherMigrates(Dialect dialect) throws Exception {
    boolean isH2 = dialect == Dialect.H2;
    DataSource source = fresh(dialect);
    ExecutorService node = Executors.newSingleThreadExecutor();
    try (Connection other = source.getConnection();
        Statement statement = other.createStatement()) {
      MigrationHistory.create(statement, dialect);
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

  /** As a node leaves it that waited in vain for the lock of another, within a script. */
  @Test
  void aScriptThatFailedInH2RunsAgain() throws SQLException {
    DataSource source = fresh(Dialect.H2);
    flyway(source, Dialect.H2, "1");
    TestSql.run(
        source,
        "INSERT INTO \""
            + MigrationHistory.TABLE
            + "\" VALUES (2, '2', 'history', 'SQL', 'V2__history.sql', 0, 'SA',"
            + " CURRENT_TIMESTAMP, 1, FALSE)");
    assertTrue(DatabaseOpener.open(source, true).tellsChanges());
  }

  /** Triggers that wrote tokens and sessions into the history were there before. */
  @ParameterizedTest
  @EnumSource
  void aDatabaseOfAnEarlierVersionWritesTokensIntoNoHistoryAnyMore(Dialect dialect)
      throws SQLException {
    DataSource source = fresh(dialect);
    flyway(source, dialect, "5?");
    insertToken(source, "a");
    assertEquals("1", TestSql.text(source, "SELECT COUNT(*) FROM rule_changes"));

    RuleDatabase database = DatabaseOpener.open(source, true);
    insertToken(source, "b");

    assertTrue(database.tellsChanges());
    assertEquals("1", TestSql.text(source, "SELECT COUNT(*) FROM rule_changes"));
    assertEquals(2, database.all(RuleTable.TOKENS).size());
  }

  /** Migrates as earlier versions of Weir did; returns how many scripts have run. */
  private static int flyway(DataSource source, Dialect dialect, String target) {
    FluentConfiguration earlier =
        Flyway.configure()
            .dataSource(source)
            .table(MigrationHistory.TABLE)
            .locations(
                "classpath:io/weir/rules/db/common",
                "classpath:io/weir/rules/db/" + dialect.folder())
            .baselineOnMigrate(true)
            .baselineVersion("0")
            .target(target);
    if (dialect == Dialect.POSTGRESQL) {
      earlier.defaultSchema("public").createSchemas(false);
    }
    return earlier.load().migrate().migrationsExecuted;
  }

  @ParameterizedTest
  @EnumSource
  void goesOnFromADatabaseOfFlywayAndFlywayFromOurs(Dialect dialect) {
    DataSource source = fresh(dialect);
    TestSql.run(source, "CREATE TABLE orders (id INT)"); // so that there is a baseline
    assertEquals(4, flyway(source, dialect, "4"));
    assertTrue(DatabaseOpener.open(source, true).tellsChanges());
    assertEquals(0, flyway(source, dialect, "latest"), "it finds what ours has noted");
    assertEquals(versions(dialect), TestSql.texts(source, NOTED));

    DataSource ours = fresh(dialect);
    assertTrue(DatabaseOpener.open(ours, true).tellsChanges());
    assertEquals(0, flyway(ours, dialect, "latest"));
    assertEquals(TestSql.texts(source, EACH), TestSql.texts(ours, EACH));
  }

  private static List<String> versions(Dialect dialect) {
    return MigrationScript.of(dialect).stream().map(MigrationScript::version).toList();
  }

  /** Databases have these: a script that changed would be refused there. */
  @Test
  void scriptsThatHaveRunSomewhereNeverChange() {
    assertEquals(
        List.of(
            "V1__tables.sql -561462545",
            "V2__history.sql -1031831132",
            "V3__triggers.sql -499612245",
            "V4__adopted.sql 1811804826",
            "V5__history_users.sql -1941907667",
            "V6__no_access_history.sql -1687642083",
            "V7__outcomes.sql 227792213",
            "V8__room_for_sums.sql 1342245172"),
        checksums(Dialect.POSTGRESQL));
    assertEquals(
        List.of(
            "V1__tables.sql -561462545",
            "V2__history.sql -2103281848",
            "V3__triggers.sql 65633344",
            "V4__adopted.sql 1811804826",
            "V6__no_access_history.sql -1240443977",
            "V7__outcomes.sql 227792213"),
        checksums(Dialect.H2));
  }

  private static List<String> checksums(Dialect dialect) {
    return MigrationScript.of(dialect).stream()
        .map(script -> script.file() + " " + script.checksum())
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void aDatabaseOfANewerVersionIsRefusedByName(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    TestSql.run(
        source,
        "INSERT INTO \""
            + MigrationHistory.TABLE
            + "\" VALUES (99, '99', 'more', 'SQL', 'V99__more.sql', 1, 'any', CURRENT_TIMESTAMP, 1,"
            + " TRUE)");
    assertRefused(source, "V99__more.sql has run, and this version ends with V");
    assertTrue(DatabaseOpener.open(source, false).tellsChanges(), "as it is");
  }

  @ParameterizedTest
  @EnumSource
  void aHistoryThatContradictsIsRefusedByName(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    String update = "UPDATE \"" + MigrationHistory.TABLE + "\" SET ";
    TestSql.run(source, update + "\"checksum\" = 17 WHERE \"version\" = '3'");
    assertRefused(source, "as version 3: V3__triggers.sql with the checksum 17, and this version");
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
      MigrationHistory.create(statement, Dialect.H2);
    }
    List<String> tables = MigrationScript.of(Dialect.H2).get(0).statements();
    TestSql.run(source, tables.subList(0, tables.size() / 2).toArray(String[]::new));
    assertTrue(DatabaseOpener.open(source, true).tellsChanges());
    assertEquals(versions(Dialect.H2), TestSql.texts(source, NOTED));
    assertEquals(
        List.of(), TestSql.texts(source, "SELECT column_name FROM weir_adopted"), "all are Weir's");
  }

  @Test
  void aConnectionThatBreaksInTheMiddleOfAScriptIsReplacedInPostgres() throws Exception {
    DataSource source = fresh(Dialect.POSTGRESQL);
    TestSql.run(
        source,
        "CREATE TABLE user_tiers (user_id VARCHAR(255) PRIMARY KEY, tier VARCHAR(50),"
            + " custom_limits JSONB, created_at TIMESTAMP, updated_at TIMESTAMP)");
    ExecutorService node = Executors.newSingleThreadExecutor();
    try (Connection holder = source.getConnection();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("LOCK TABLE user_tiers IN SHARE MODE");
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

  private static void insertToken(DataSource source, String hash) {
    TestSql.run(
        source,
        "INSERT INTO weir_access_tokens (hash, role, name) VALUES ('" + hash + "', 'user', 'a')");
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
    assertEquals("1", TestSql.text(source, "SELECT COUNT(*) FROM orders"));
  }

  @ParameterizedTest
  @EnumSource
  void anApplicationsFlywayThatComesSecondNeedsABaseline(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    Flyway own =
        Flyway.configure()
            .dataSource(source)
            .baselineOnMigrate(true)
            .baselineVersion("0")
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
    ExistingRulesSchema schema = migrated(source, counting(source, connections));
    assertEquals(List.of(), schema.missing());
    assertEquals(0, connections.get(), "connections of migrations");
  }

  @ParameterizedTest
  @EnumSource
  void aScriptThatHasntRunRuns(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    String latest = " FROM \"" + MigrationHistory.TABLE + "\" WHERE \"version\" = '7'";
    TestSql.run(source, "DELETE" + latest.replace("'7'", "'7' OR \"version\" = '8'"));
    AtomicInteger connections = new AtomicInteger();
    migrated(source, counting(source, connections));
    assertTrue(connections.get() > 0, "a migration has run");
    assertEquals("1", TestSql.text(source, "SELECT COUNT(*)" + latest));
  }

  private static ExistingRulesSchema migrated(DataSource source, DataSource ofMigrations) {
    return new RulesSchemaMigrator(ofMigrations, new TransactionRunner(source, TIMEOUT)).run(true);
  }

  private static DataSource counting(DataSource source, AtomicInteger connections) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("getConnection")) {
            connections.incrementAndGet();
          }
          return method.invoke(source, arguments);
        };
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, handler);
  }
}
