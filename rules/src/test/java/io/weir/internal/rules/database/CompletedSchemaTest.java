package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.test.log.LogLines;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables that are incomplete, or of a role that may not do everything. */
class CompletedSchemaTest {
  private static final SchemaName THEIRS = new SchemaName("theirs");

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
                + " FROM pg_indexes WHERE schemaname = 'weir' UNION ALL SELECT relname || ' '"
                + " || reloptions::text FROM pg_class WHERE reloptions IS NOT NULL"
                + " AND relnamespace = 'weir'::regnamespace) made";
    DatabaseOpener.open(source, true);
    String before = TestSql.text(source, made);
    assertTrue(before.toLowerCase(Locale.ROOT).contains("usage_minutes_user"), before);
    TestSql.run(
        source,
        "DROP TABLE weir.usage_minutes",
        "DROP TABLE weir.usage_total",
        "DROP TABLE weir.rate_limit_violations",
        "DROP TABLE weir.tier_upgrade_requests");
    DatabaseOpener.open(source, true);
    assertEquals(before, TestSql.text(source, made));
  }

  /** The SQL may be run with another search path. */
  @Test
  void theSqlThatIsToldCompletesTheSchemaWhereTheTablesAre() {
    String url = PostgresServer.shared().newDatabase();
    DataSource owner = PostgresServer.source(url);
    DatabaseOpener.open(owner, true, THEIRS).insert(RuleTable.RULES, RULE, "alice");
    TestSql.run(
        owner,
        "CREATE ROLE " + role(url) + " LOGIN",
        "GRANT USAGE ON SCHEMA theirs TO " + role(url),
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA theirs TO " + role(url),
        "REVOKE SELECT ON theirs.anomalies FROM " + role(url),
        "DROP TABLE theirs.usage_minutes");
    DataSource guest = PostgresServer.source(url.replace("user=postgres", "user=" + role(url)));
    try (LogLines log = new LogLines()) {
      DatabaseOpener.open(guest, true, THEIRS);
      String told = log.containing("This SQL creates them").get(0);
      TestSql.run(owner, told.substring(told.indexOf('\n') + 1, told.lastIndexOf(';')));
    }
    try (LogLines log = new LogLines()) {
      assertEquals(1, DatabaseOpener.open(guest, true, THEIRS).all(RuleTable.RULES).size());
      assertEquals(List.of(), log.containing("This SQL creates them"));
    }
    assertEquals(
        "0", TestSql.text(owner, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"));
  }

  private static String role(String url) {
    return "role_of_" + url.replaceAll(".*/(\\w+)\\?.*", "$1");
  }

  @Test
  void aTableOfH2ThatMayNotBeReadIsTakenForMissingUnlessNothingCanBeDecidedWithoutIt() {
    JdbcDataSource owner = (JdbcDataSource) H2MemoryTest.memory();
    DatabaseOpener.open(owner, true).insert(RuleTable.RULES, RULE, "alice");
    TestSql.run(
        owner,
        "CREATE USER guest PASSWORD ''",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON SCHEMA weir TO guest");
    JdbcDataSource guest = new JdbcDataSource();
    guest.setURL(owner.getURL().replaceAll(";.*", ""));
    guest.setUser("guest");
    assertEquals(1, DatabaseOpener.open(guest, true).all(RuleTable.RULES).size());
    TestSql.run(owner, "REVOKE SELECT, INSERT, UPDATE, DELETE ON SCHEMA weir FROM guest");
    for (RuleTable table : RuleTable.values()) {
      if (table != RuleTable.ANOMALIES) {
        TestSql.run(owner, "GRANT SELECT ON " + table.sqlName() + " TO guest");
      }
    }
    RuleDatabase database = DatabaseOpener.open(guest, true);
    assertEquals(1, database.all(RuleTable.RULES).size());
    assertEquals(List.of(), database.all(RuleTable.ANOMALIES));
    TestSql.run(owner, "REVOKE SELECT ON weir.switches FROM guest");
    RulesUnavailableException told =
        assertThrows(RulesUnavailableException.class, () -> DatabaseOpener.open(guest, true));
    assertTrue(
        told.getMessage().contains("permission denied for table weir.switches"), told.getMessage());
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
        "GRANT USAGE ON SCHEMA weir TO " + role(url),
        "GRANT SELECT ON ALL TABLES IN SCHEMA weir TO " + role(url));
    RuleDatabase database =
        DatabaseOpener.open(
            PostgresServer.source(url.replace("user=postgres", "user=" + role(url))), false);
    ChangePosition position = database.position();
    assertTrue(database.tellsChanges());
    TestSql.run(owner, "REVOKE SELECT ON weir.rule_changes FROM " + role(url));
    assertThrows(RulesUnavailableException.class, () -> database.changesSince(position, 10));
    assertFalse(database.tellsChanges(), "rows are compared");
    assertEquals(List.of(), database.latestChanges(1));
    assertEquals(List.of(), database.changesOf("rate_limit_rules", "1"));
    assertEquals(1, database.all(RuleTable.RULES).size());
  }
}
