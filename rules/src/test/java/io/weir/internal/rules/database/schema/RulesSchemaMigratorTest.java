package io.weir.internal.rules.database.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.H2MemoryTest;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleDatabaseContract;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.TransactionRunner;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.seeds.Seeds;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  /** As a node leaves it that waited in vain for the lock of another, within a script. */
  @Test
  void aScriptThatFailedInH2RunsAgain() throws SQLException {
    DataSource source = fresh(Dialect.H2);
    var unused =
        Flyway.configure()
            .dataSource(source)
            .table(MigrationHistory.TABLE)
            .locations("classpath:io/weir/rules/db/common", "classpath:io/weir/rules/db/h2")
            .target("1")
            .load()
            .migrate();
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
    FluentConfiguration earlier =
        Flyway.configure()
            .dataSource(source)
            .table(MigrationHistory.TABLE)
            .locations(
                "classpath:io/weir/rules/db/common",
                "classpath:io/weir/rules/db/" + dialect.folder())
            .target("5?");
    if (dialect == Dialect.POSTGRESQL) {
      earlier.defaultSchema("public");
    }
    earlier.load().migrate();
    insertToken(source, "a");
    assertEquals("1", TestSql.text(source, "SELECT COUNT(*) FROM rule_changes"));

    RuleDatabase database = DatabaseOpener.open(source, true);
    insertToken(source, "b");

    assertTrue(database.tellsChanges());
    assertEquals("1", TestSql.text(source, "SELECT COUNT(*) FROM rule_changes"));
    assertEquals(2, database.all(RuleTable.TOKENS).size());
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
  void flywayIsntStartedWhereAllIsThere(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    AtomicInteger connections = new AtomicInteger();
    ExistingRulesSchema schema = migrated(source, counting(source, connections));
    assertEquals(List.of(), schema.missing());
    assertEquals(0, connections.get(), "connections of Flyway");
  }

  @ParameterizedTest
  @EnumSource
  void flywayRunsAScriptThatItHasntRun(Dialect dialect) {
    DataSource source = fresh(dialect);
    DatabaseOpener.open(source, true);
    String latest = " FROM \"" + MigrationHistory.TABLE + "\" WHERE \"version\" = '7'";
    TestSql.run(source, "DELETE" + latest.replace("'7'", "'7' OR \"version\" = '8'"));
    AtomicInteger connections = new AtomicInteger();
    migrated(source, counting(source, connections));
    assertTrue(connections.get() > 0, "Flyway has run");
    assertEquals("1", TestSql.text(source, "SELECT COUNT(*)" + latest));
  }

  private static ExistingRulesSchema migrated(DataSource source, DataSource ofFlyway) {
    return new RulesSchemaMigrator(ofFlyway, new TransactionRunner(source, TIMEOUT)).run(true);
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
