package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.database.connection.DatabaseSettings;
import io.weir.internal.rules.database.connection.OpenDatabase;
import io.weir.internal.rules.database.schema.AdoptedColumns;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.test.log.LogLines;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables that are incomplete, or of a role that may not do everything. */
class CompletedSchemaTest {
  private static final Map<String, String> RULE =
      Map.of(
          "tier",
          "free",
          "endpoint_pattern",
          "/api/*",
          "limit_count",
          "10",
          "window_seconds",
          "60");

  @ParameterizedTest
  @EnumSource
  void aTableThatWasDroppedComesBackAsItWas(Dialect dialect) {
    DataSource source =
        dialect == Dialect.H2
            ? H2MemoryTest.memory()
            : PostgresServer.source(PostgresServer.shared().newDatabase());
    String made =
        dialect == Dialect.H2
            ? "SELECT LISTAGG(index_name, ' ') WITHIN GROUP (ORDER BY index_name) FROM"
                + " information_schema.indexes WHERE index_name NOT LIKE '%PRIMARY_KEY%'"
                + " AND index_name NOT LIKE 'CONSTRAINT%'"
            : "SELECT string_agg(name, ' ' ORDER BY name) FROM (SELECT indexname AS name"
                + " FROM pg_indexes WHERE schemaname = 'public' UNION ALL SELECT relname || ' '"
                + " || reloptions::text FROM pg_class WHERE reloptions IS NOT NULL"
                + " AND relnamespace = 'public'::regnamespace) made";
    DatabaseOpener.open(source, true);
    String before = TestSql.text(source, made);
    assertTrue(before.toLowerCase(Locale.ROOT).contains("usage_minutes_user"), before);
    TestSql.run(
        source,
        "DROP TABLE usage_minutes",
        "DROP TABLE usage_total",
        "DROP TABLE rate_limit_violations",
        "DROP TABLE tier_upgrade_requests");
    DatabaseOpener.open(source, true);
    assertEquals(before, TestSql.text(source, made));
  }

  /** The SQL may be run with another search path. */
  @Test
  void theSqlThatIsToldCompletesTheSchemaWhereTheTablesAre() {
    String url = PostgresServer.shared().newDatabase();
    DataSource owner = PostgresServer.source(url);
    DatabaseOpener.open(PostgresServer.source(inSchema(owner, url)), true)
        .insert(RuleTable.RULES, RULE, "alice");
    TestSql.run(
        owner,
        "CREATE ROLE " + role(url) + " LOGIN",
        "GRANT USAGE ON SCHEMA theirs TO " + role(url),
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA theirs TO " + role(url),
        "REVOKE SELECT ON theirs.anomalies FROM " + role(url),
        "DROP TABLE theirs.usage_minutes");
    DataSource guest =
        PostgresServer.source(
            (url + "&currentSchema=theirs").replace("user=postgres", "user=" + role(url)));
    try (LogLines log = new LogLines()) {
      DatabaseOpener.open(guest, true);
      String told = log.containing("This SQL creates them").get(0);
      TestSql.run(owner, told.substring(told.indexOf('\n') + 1, told.lastIndexOf(';')));
    }
    try (LogLines log = new LogLines()) {
      assertEquals(1, DatabaseOpener.open(guest, true).all(RuleTable.RULES).size());
      assertEquals(List.of(), log.containing("This SQL creates them"));
    }
    assertEquals(
        "0", TestSql.text(owner, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"));
  }

  /** Else what is in them would be purged as if Weir had written it. */
  @ParameterizedTest
  @EnumSource
  void theSqlThatIsToldNotesWhichColumnsAreSomebodyElses(Dialect dialect) {
    DataSource source =
        dialect == Dialect.H2
            ? H2MemoryTest.memory()
            : PostgresServer.source(PostgresServer.shared().newDatabase());
    TestSql.run(
        source,
        "CREATE TABLE rate_limit_rules (id BIGINT PRIMARY KEY, tier VARCHAR(50) NOT NULL,"
            + " endpoint_pattern VARCHAR(255) NOT NULL, limit_count INTEGER NOT NULL,"
            + " window_seconds INTEGER NOT NULL, created_at TIMESTAMP, updated_at TIMESTAMP)",
        "CREATE TABLE rate_limit_violations (id BIGINT PRIMARY KEY, user_id VARCHAR(50),"
            + " endpoint VARCHAR(255), timestamp TIMESTAMP, attempted_count INTEGER,"
            + " policy VARCHAR(50))");
    try (LogLines log = new LogLines()) {
      DatabaseOpener.open(source, false);
      String told = log.containing("This SQL creates them").get(0);
      String sql = told.substring(told.indexOf('\n') + 1, told.lastIndexOf(';'));
      for (int again = 0; again < 2; again++) {
        for (String statement : dialect == Dialect.H2 ? sql.split(";\n") : new String[] {sql}) {
          TestSql.run(source, statement);
        }
      }
    }
    assertFalse(isOwn(source, "rate_limit_violations", "policy"));
    assertTrue(isOwn(source, "user_behaviors", "histogram"));
  }

  private static boolean isOwn(DataSource source, String table, String column) {
    return DatabaseOpener.open(source, true)
        .inTransaction(
            "weir_adopted can't be read",
            connection -> AdoptedColumns.isOwn(connection, table, column));
  }

  private static String inSchema(DataSource owner, String url) {
    TestSql.run(owner, "CREATE SCHEMA theirs");
    return url + "&currentSchema=theirs";
  }

  private static String role(String url) {
    return "role_of_" + url.replaceAll(".*/(\\w+)\\?.*", "$1");
  }

  @Test
  void aConnectionThatLeadsToNoSchemaIsToldSo() {
    String url = PostgresServer.shared().newDatabase();
    DataSource lost = PostgresServer.source(url + "&currentSchema=nowhere");
    RulesUnavailableException told =
        assertThrows(RulesUnavailableException.class, () -> DatabaseOpener.open(lost, true));
    assertTrue(told.getMessage().contains("leads to no schema"), told.getMessage());
  }

  @Test
  void aTableOfH2ThatMayNotBeReadIsTakenForMissingUnlessNothingCanBeDecidedWithoutIt() {
    JdbcDataSource owner = (JdbcDataSource) H2MemoryTest.memory();
    DatabaseOpener.open(owner, true).insert(RuleTable.RULES, RULE, "alice");
    TestSql.run(
        owner,
        "CREATE USER guest PASSWORD ''",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON SCHEMA public TO guest");
    JdbcDataSource guest = new JdbcDataSource();
    guest.setURL(owner.getURL().replaceAll(";.*", ""));
    guest.setUser("guest");
    assertEquals(1, DatabaseOpener.open(guest, true).all(RuleTable.RULES).size());
    TestSql.run(owner, "REVOKE SELECT, INSERT, UPDATE, DELETE ON SCHEMA public FROM guest");
    for (RuleTable table : RuleTable.values()) {
      if (table != RuleTable.ANOMALIES) {
        TestSql.run(owner, "GRANT SELECT ON " + table.tableName() + " TO guest");
      }
    }
    RuleDatabase database = DatabaseOpener.open(guest, true);
    assertEquals(1, database.all(RuleTable.RULES).size());
    assertEquals(List.of(), database.all(RuleTable.ANOMALIES));
    TestSql.run(owner, "REVOKE SELECT ON switches FROM guest");
    RulesUnavailableException told =
        assertThrows(RulesUnavailableException.class, () -> DatabaseOpener.open(guest, true));
    assertTrue(
        told.getMessage().contains("permission denied for table switches"), told.getMessage());
  }

  /** A right that is taken away on a running node. */
  @Test
  void aHistoryThatMayNotBeReadAnyMoreStopsNoRules() {
    String url = PostgresServer.shared().newDatabase();
    DataSource owner = PostgresServer.source(url);
    DatabaseOpener.open(owner, true).insert(RuleTable.RULES, RULE, "alice");
    TestSql.run(
        owner,
        "CREATE ROLE " + role(url) + " LOGIN",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + role(url));
    RuleDatabase database =
        DatabaseOpener.open(
            PostgresServer.source(url.replace("user=postgres", "user=" + role(url))), false);
    ChangePosition position = database.position();
    assertTrue(database.tellsChanges());
    TestSql.run(owner, "REVOKE SELECT ON rule_changes FROM " + role(url));
    assertThrows(RulesUnavailableException.class, () -> database.changesSince(position, 10));
    assertFalse(database.tellsChanges(), "rows are compared");
    assertEquals(List.of(), database.latestChanges(1));
    assertEquals(List.of(), database.changesOf("rate_limit_rules", "1"));
    assertEquals(1, database.all(RuleTable.RULES).size());
  }

  /** PostgreSQL refuses a statement once that it has planned before its table was changed. */
  @Test
  void aTableThatIsAlteredFailsNoTransaction() throws Exception {
    String url = PostgresServer.shared().newDatabase();
    try (OpenDatabase pool = DatabaseOpener.connect(DatabaseSettings.of(url))) {
      RuleDatabase database = DatabaseOpener.open(pool.source(), true);
      for (int i = 0; i < 12; i++) {
        if (i == 8) {
          TestSql.run(
              PostgresServer.source(url), "ALTER TABLE usage_minutes ADD COLUMN theirs VARCHAR(9)");
        }
        Optional<WrittenTable> found =
            database.inTransaction(
                "usage_minutes can't be read",
                connection -> WrittenTable.find(connection, "usage_minutes", Set.of("user_id")));
        assertTrue(found.isPresent());
      }
    }
  }
}
