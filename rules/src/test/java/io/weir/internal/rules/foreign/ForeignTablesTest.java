package io.weir.internal.rules.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.MigratedPostgres;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.rules.problem.RuleProblem;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables of a PostgreSQL, some of them made to run something as Weir. */
class ForeignTablesTest {
  private static final String RULES =
      "rate_limit_rules (id BIGINT, tier TEXT, endpoint_pattern TEXT, limit_count INTEGER,"
          + " window_seconds INTEGER, created_at TIMESTAMP, updated_at TIMESTAMPTZ)";
  private static final String USERS =
      " PRIMARY KEY, tier TEXT, custom_limits JSONB, created_at TIMESTAMP, updated_at TIMESTAMP)";
  private static final String COLUMNS =
      " (id, tier, endpoint_pattern, limit_count, window_seconds) VALUES ";
  private static final String EVIL =
      "CREATE FUNCTION evil(%s) RETURNS %s LANGUAGE plpgsql AS"
          + " 'BEGIN RAISE EXCEPTION ''somebody else''''s code ran''; END'";

  private final String url = MigratedPostgres.newDatabase();
  private final DataSource database = PostgresServer.source(url);
  private HikariDataSource pool = MigratedPostgres.pool(url);

  private ForeignTables tables = foreign(Optional.empty());

  private ForeignTables foreign(Optional<String> schema) {
    return new ForeignTables(DatabaseOpener.open(pool, false), schema);
  }

  /** As after a start: sessions keep the search path that they began with. */
  private void reconnect(String options) {
    pool.close();
    pool = MigratedPostgres.pool(url + options);
    tables = foreign(Optional.empty());
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @BeforeEach
  void makeStranger() {
    sql(
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'stranger') THEN"
            + " CREATE ROLE stranger; END IF; EXCEPTION WHEN OTHERS THEN NULL; END $$",
        "GRANT ALL ON SCHEMA public TO stranger");
  }

  private void sql(String... statements) {
    List<String> all = new ArrayList<>(List.of("SET search_path = public"));
    all.addAll(List.of(statements));
    TestSql.run(database, all.toArray(String[]::new));
  }

  private List<StoredRow> rows(RuleTable table) {
    tables.look();
    return tables.read(table).orElseThrow(() -> new AssertionError(problems()));
  }

  private String problems() {
    return tables.problems().stream().map(RuleProblem::toString).collect(Collectors.joining("\n"));
  }

  private Map<String, String> tiers(String... users) {
    tables.look();
    Map<String, String> tiers = new TreeMap<>();
    tables
        .ofUsers(List.of(users))
        .orElseThrow(() -> new AssertionError(problems()))
        .forEach(row -> tiers.put(row.key(), row.column("tier").orElse("")));
    return tiers;
  }

  @Test
  void readsATableOfItsOwnRoleWithTheColumnsThatAreDocumentedAndNoOthers() {
    sql(
        "CREATE TABLE " + RULES,
        "ALTER TABLE rate_limit_rules ADD methods TEXT DEFAULT 'GET', ADD state TEXT DEFAULT 'OFF'",
        "INSERT INTO rate_limit_rules (id, tier, endpoint_pattern, limit_count, window_seconds,"
            + " updated_at) VALUES (7, 'free', '/a', 5, 60, '2026-01-02 03:04:05+02')");
    StoredRow row = rows(RuleTable.RULES).get(0);
    assertEquals(
        Map.of(
            "id", "7",
            "version", "1",
            "tier", "free",
            "endpoint_pattern", "/a",
            "limit_count", "5",
            "window_seconds", "60",
            "updated_at", "2026-01-02T01:04:05Z",
            "origin", "public.rate_limit_rules 7"),
        Map.copyOf(row.columns()));
    assertEquals("", problems());
  }

  @Test
  void leavesATableOfAStrangerInTheSearchPathAlone() {
    sql(
        "SET ROLE stranger",
        "CREATE TABLE " + RULES,
        "INSERT INTO rate_limit_rules" + COLUMNS + "(1, '*', '*', 1000000, 1)",
        "RESET ROLE");
    assertEquals(List.of(), rows(RuleTable.RULES));
    assertTrue(problems().contains("public.rate_limit_rules"), problems());
    assertTrue(problems().contains("stranger"), problems());
    tables = foreign(Optional.of("public"));
    assertEquals(1, rows(RuleTable.RULES).size(), "its schema is named");
  }

  @Test
  void readsATableOfTheDatabasesOwnerBehindThatOfAStranger() {
    sql(
        "CREATE SCHEMA app",
        "CREATE TABLE app." + RULES,
        "INSERT INTO app.rate_limit_rules" + COLUMNS + "(1, 'free', '/a', 5, 60)",
        "SET ROLE stranger",
        "CREATE TABLE public." + RULES,
        "RESET ROLE",
        "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || quote_ident(current_database())"
            + " || ' SET search_path = public, app'; END $$");
    reconnect("");
    assertEquals("app.rate_limit_rules 1", rows(RuleTable.RULES).get(0).column("origin").get());
  }

  @Test
  void callsNoViewInTheSearchPath() {
    sql(
        String.format(EVIL, "", "TEXT"),
        "CREATE VIEW rate_limit_rules AS SELECT 1 AS id, evil() AS tier, '/a' AS endpoint_pattern,"
            + " 1 AS limit_count, 1 AS window_seconds, now() AS created_at, now() AS updated_at");
    assertEquals(List.of(), rows(RuleTable.RULES));
    assertFalse(problems().contains("code ran"), problems());
  }

  @Test
  void aViewInANamedSchemaCanWriteNothing() {
    sql(
        "CREATE SCHEMA crm",
        "CREATE TABLE crm.written (n INTEGER)",
        "CREATE FUNCTION crm.writes() RETURNS TEXT LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO crm.written VALUES (1); RETURN ''free''; END'",
        "CREATE VIEW crm.rate_limit_rules AS SELECT 1 AS id, crm.writes() AS tier,"
            + " '/a' AS endpoint_pattern, 1 AS limit_count, 1 AS window_seconds,"
            + " now() AS created_at, now() AS updated_at");
    tables = foreign(Optional.of("crm"));
    tables.look();
    assertEquals(Optional.empty(), tables.read(RuleTable.RULES));
    assertTrue(problems().contains("read-only"), problems());
    assertEquals(0, TestSql.number(database, "SELECT count(*) FROM crm.written"));
  }

  @Test
  void runsNoCastAndNoOperatorOfOthers() {
    sql(
        "CREATE TYPE plan AS ENUM ('free', 'gold')",
        "CREATE TYPE pair AS (a TEXT, b TEXT)",
        "CREATE DOMAIN name_of_user AS TEXT",
        "CREATE TABLE user_tiers (user_id name_of_user PRIMARY KEY, tier plan, custom_limits pair,"
            + " created_at TIMESTAMP, updated_at TIMESTAMP)",
        "INSERT INTO user_tiers VALUES ('ann', 'gold')",
        String.format(EVIL, "plan", "TEXT"),
        String.format(EVIL, "pair", "TEXT"),
        String.format(EVIL, "name_of_user, name_of_user", "BOOLEAN"),
        String.format(EVIL, "TEXT, TEXT", "BOOLEAN"),
        String.format(EVIL, "TEXT, INTEGER", "TEXT"),
        String.format(EVIL, "NAME, TEXT", "BOOLEAN"),
        "CREATE CAST (plan AS TEXT) WITH FUNCTION evil (plan) AS IMPLICIT",
        "CREATE CAST (pair AS TEXT) WITH FUNCTION evil (pair) AS IMPLICIT",
        "CREATE OPERATOR = (LEFTARG = name_of_user, RIGHTARG = name_of_user, FUNCTION = evil)",
        "CREATE OPERATOR = (LEFTARG = TEXT, RIGHTARG = TEXT, FUNCTION = evil)",
        "CREATE OPERATOR = (LEFTARG = NAME, RIGHTARG = TEXT, FUNCTION = evil)",
        "ALTER FUNCTION evil(TEXT, INTEGER) RENAME TO \"left\"",
        "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || quote_ident(current_database())"
            + " || ' SET search_path = public, pg_catalog'; END $$");
    reconnect("");
    tables.look();
    assertEquals(Map.of("ann", "gold"), tiers("ann", "bob"));
    assertEquals("", problems());
  }

  @Test
  void runsNoPolicyOnRows() {
    String reader = "r" + UUID.randomUUID().toString().replace("-", "");
    sql(
        "CREATE ROLE " + reader,
        "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || quote_ident(current_database())"
            + " || ' OWNER TO "
            + reader
            + "'; END $$",
        "SET ROLE " + reader,
        "CREATE TABLE " + RULES,
        String.format(EVIL, "", "BOOLEAN"),
        "CREATE POLICY p ON rate_limit_rules USING (evil())",
        "ALTER TABLE rate_limit_rules ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY");
    sql(
        "GRANT USAGE ON SCHEMA weir TO " + reader,
        "GRANT SELECT ON ALL TABLES IN SCHEMA weir TO " + reader);
    reconnect("&options=-c%20role=" + reader);
    tables.look();
    assertEquals(Optional.empty(), tables.read(RuleTable.RULES));
    assertTrue(problems().contains("row-level security"), problems());
  }

  @Test
  void findsUsersOfAnyType() {
    sql(
        "CREATE DOMAIN letters AS VARCHAR(20) CHECK (VALUE <> '')",
        "CREATE TYPE few AS ENUM ('ann', 'bob')",
        "CREATE DOMAIN whole AS BIGINT",
        "CREATE DOMAIN number AS whole");
    for (String text : List.of("TEXT", "VARCHAR(50)", "CHAR(20)", "NAME", "letters", "few")) {
      findsUsers(text, "ann", "bob", "Ann");
    }
    for (String whole : List.of("BIGINT", "INTEGER", "SMALLINT", "NUMERIC(30)", "number")) {
      findsUsers(whole, "7", "70", "07");
      findsUsers(whole, "7", "70", "99999999999999999999");
    }
    String uuid = "6f1c7e2a-0000-4000-8000-00000000000a";
    findsUsers("UUID", uuid, uuid.replace('a', 'b'), uuid.toUpperCase(Locale.ROOT));
  }

  private void findsUsers(String type, String user, String other, String nobody) {
    sql(
        "DROP TABLE IF EXISTS user_tiers",
        "CREATE TABLE user_tiers (user_id " + type + USERS,
        "INSERT INTO user_tiers VALUES ('" + user + "', 'gold'), ('" + other + "', 'free')");
    assertEquals(Map.of(user, "gold"), tiers(user, nobody, "somebody", "", "sha256:ab"), type);
    assertEquals(Map.of(user, "gold", other, "free"), tiers(user, other), type);
    assertEquals(Map.of(), tiers("nobody"), type);
  }

  @Test
  void reportsATableThatIsGoneAndThatComesBack() {
    sql("CREATE TABLE " + RULES);
    assertEquals(List.of(), rows(RuleTable.RULES));
    sql("ALTER TABLE rate_limit_rules RENAME TO old_rules");
    tables.look();
    assertEquals(Optional.empty(), tables.read(RuleTable.RULES));
    assertTrue(problems().contains("was dropped"), problems());
    sql("ALTER TABLE old_rules RENAME TO rate_limit_rules");
    assertEquals(List.of(), rows(RuleTable.RULES));
    assertEquals("", problems());
    sql("ALTER TABLE rate_limit_rules RENAME tier TO plan");
    tables.look();
    assertEquals(Optional.empty(), tables.read(RuleTable.RULES));
    assertTrue(problems().contains("no column tier"), problems());
  }

  @Test
  void noticesThatATableWasSwappedSinceItWasFound() {
    sql("CREATE TABLE " + RULES);
    assertEquals(List.of(), rows(RuleTable.RULES));
    sql("DROP TABLE rate_limit_rules", "SET ROLE stranger", "CREATE TABLE " + RULES, "RESET ROLE");
    assertEquals(Optional.empty(), tables.read(RuleTable.RULES), "without looking again");
  }

  @Test
  void givesUpOnALockedTableAtOnceAndReportsItAfterAWhile() throws SQLException {
    sql("CREATE TABLE " + RULES);
    assertEquals(List.of(), rows(RuleTable.RULES));
    try (Connection other = database.getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE rate_limit_rules");
      assertEquals(Optional.empty(), tables.read(RuleTable.RULES));
      assertEquals("", problems(), "for a moment");
      assertEquals(Optional.empty(), tables.read(RuleTable.RULES));
      assertEquals(Optional.empty(), tables.read(RuleTable.RULES));
      assertTrue(problems().contains("lock"), problems());
      other.rollback();
    }
    assertEquals(List.of(), rows(RuleTable.RULES));
    assertEquals("", problems());
  }

  @Test
  void readsNoMoreThanSoMuchText() {
    sql(
        "CREATE TABLE " + RULES,
        "INSERT INTO rate_limit_rules" + COLUMNS + "(1, repeat('x', 5000000), '/a', 5, 60)");
    assertEquals(1_001, rows(RuleTable.RULES).get(0).column("tier").orElse("").length());
    sql(
        "INSERT INTO rate_limit_rules SELECT n, repeat('x', 900), repeat('y', 900), 5, 60"
            + " FROM generate_series(2, 10000) n");
    tables.look();
    assertEquals(Optional.empty(), tables.read(RuleTable.RULES));
    assertTrue(problems().contains("16,000,000"), problems());
  }

  @Test
  void keepsTwoRowsOfOneIdApart() {
    sql(
        "CREATE TABLE " + RULES,
        "INSERT INTO rate_limit_rules" + COLUMNS + "(1, 'a', '/a', 5, 60), (1, 'b', '/b', 5, 60)");
    assertEquals(2, rows(RuleTable.RULES).stream().map(StoredRow::key).distinct().count());
  }
}
