package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.OperatorTraps;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.foreign.ForeignTables;
import io.weir.rules.problem.RulesUnavailableException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What roles of the same PostgreSQL may do that don't own Weir's tables. */
class StrangersTest {
  private static final String DENIED = "42501";

  private String url = "";
  private DataSource owner;

  @BeforeEach
  void makeDatabase() {
    url = PostgresServer.shared().newDatabase();
    owner = PostgresServer.source(url);
  }

  private DataSource login(String prefix, String... grants) {
    String role = role(prefix);
    TestSql.run(owner, "CREATE ROLE " + role + " LOGIN");
    for (String grant : grants) {
      TestSql.run(owner, grant + " TO " + role);
    }
    return PostgresServer.source(url.replace("user=postgres", "user=" + role));
  }

  private String role(String prefix) {
    return prefix + "_of_" + name();
  }

  private String name() {
    return url.replaceAll(".*/(\\w+)\\?.*", "$1");
  }

  /** Support may change limits, and nothing else. */
  private DataSource support() {
    return login(
        "support",
        "GRANT USAGE ON SCHEMA weir",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON weir.rate_limit_rules, weir.user_tiers");
  }

  private static void assertDenied(DataSource source, String... statements) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < statements.length - 1; i++) {
        statement.execute(statements[i]);
      }
      String last = statements[statements.length - 1];
      SQLException denied =
          assertThrows(SQLException.class, () -> statement.execute(last), () -> last);
      assertEquals(DENIED, denied.getSQLState(), denied.getMessage());
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void assertNothingIsEverybodys() {
    assertEquals(
        List.of(),
        TestSql.texts(
            owner,
            "SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
                + " WHERE n.nspname = 'weir' AND has_function_privilege('public', p.oid,"
                + " 'EXECUTE') UNION ALL SELECT c.relname FROM pg_class c JOIN pg_namespace n"
                + " ON n.oid = c.relnamespace WHERE n.nspname = 'weir' AND c.relkind IN ('r', 'p')"
                + " AND has_table_privilege('public', c.oid, 'SELECT, INSERT, UPDATE, DELETE,"
                + " TRUNCATE, REFERENCES, TRIGGER') UNION ALL SELECT c.relname FROM pg_class c"
                + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'weir' AND"
                + " CASE WHEN c.relkind = 'S' THEN has_sequence_privilege('public', c.oid,"
                + " 'USAGE, SELECT, UPDATE') END UNION ALL SELECT nspname FROM pg_namespace WHERE nspname = 'weir'"
                + " AND has_schema_privilege('public', oid, 'USAGE, CREATE')"));
  }

  @Test
  void nothingOfWeirIsEverybodys() {
    DatabaseOpener.open(owner, true);
    assertNothingIsEverybodys();
  }

  @Test
  void neitherAStrangerNorSupportRunsFunctionsOfTheOwner() {
    DatabaseOpener.open(owner, true);
    DataSource stranger = login("stranger");
    DataSource support = support();
    for (DataSource each : List.of(stranger, support)) {
      for (String function : List.of("weir_change('id')", "weir_stamp()")) {
        assertDenied(
            each,
            "CREATE TEMPORARY TABLE rate_limit_rules (id INT)",
            "CREATE TRIGGER t AFTER INSERT ON pg_temp.rate_limit_rules FOR EACH ROW"
                + " EXECUTE FUNCTION weir."
                + function);
      }
      assertDenied(each, "SELECT * FROM weir.weir_access_tokens");
      assertDenied(each, "DELETE FROM weir.rule_changes");
      assertDenied(each, "TRUNCATE weir.rate_limit_rules");
      assertDenied(each, "ALTER TABLE weir.rate_limit_rules DISABLE TRIGGER ALL");
      assertDenied(each, "CREATE TABLE weir.theirs ()");
      assertDenied(each, "SET session_replication_role = replica");
    }
  }

  /** As where a snapshot of Weir had left the right to everybody. */
  @Test
  void theHistoryTakesRowsOfWeirsTablesOnly() {
    DatabaseOpener.open(owner, true);
    TestSql.run(owner, "GRANT EXECUTE ON FUNCTION weir.weir_change() TO PUBLIC");
    assertDenied(
        support(),
        "CREATE TEMPORARY TABLE rate_limit_rules (id INT)",
        "CREATE TRIGGER t AFTER INSERT ON pg_temp.rate_limit_rules FOR EACH ROW"
            + " EXECUTE FUNCTION weir.weir_change('id')",
        "INSERT INTO pg_temp.rate_limit_rules VALUES (1)");
    assertEquals(0, TestSql.number(owner, "SELECT count(*) FROM weir.rule_changes"));
  }

  @Test
  void whoeverMayNotWriteTheHistoryIsTheAuthorOfItsChanges() {
    DatabaseOpener.open(owner, true).insert(RuleTable.RULES, RuleDatabaseContract.RULE, "alice");
    DataSource support = support();
    try (Connection connection = support.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TEMPORARY TABLE rule_changes (LIKE weir.rate_limit_rules)");
      statement.execute("SET search_path = pg_temp, pg_catalog");
      statement.execute("SET weir.author = 'alice'");
      statement.execute("UPDATE weir.rate_limit_rules SET limit_count = 11, updated_by = 'alice'");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    assertEquals(
        List.of("alice", role("support")),
        TestSql.texts(owner, "SELECT by FROM weir.rule_changes ORDER BY number"));
    assertEquals(
        role("support"), TestSql.text(owner, "SELECT updated_by FROM weir.rate_limit_rules"));
  }

  /** An owner may act for a role that has fewer rights. */
  @Test
  void aRoleThatWasSetCountsNotTheLogin() throws SQLException {
    DatabaseOpener.open(owner, true);
    support();
    try (Connection connection = owner.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET weir.author = 'alice'");
      statement.execute("INSERT INTO weir.user_tiers (user_id, tier) VALUES ('a', 'free')");
      statement.execute("SET ROLE " + role("support"));
      statement.execute("INSERT INTO weir.user_tiers (user_id, tier) VALUES ('b', 'free')");
    }
    assertEquals(
        List.of("alice", "postgres"),
        TestSql.texts(owner, "SELECT by FROM weir.rule_changes ORDER BY number"));
  }

  @Test
  void theSqlThatIsToldMakesAllThatTheRoleNeedsAndNothingForEverybody() {
    TestSql.run(owner, "REVOKE CREATE ON SCHEMA public FROM PUBLIC");
    DataSource guest = login("app");
    RulesUnavailableException told =
        assertThrows(RulesUnavailableException.class, () -> DatabaseOpener.open(guest, true));
    String message = String.valueOf(told.getMessage());
    assertTrue(message.contains("has no schema weir"), message);
    assertTrue(message.contains("GRANT USAGE ON SCHEMA weir TO " + role("app")), message);
    TestSql.run(owner, message.substring(message.indexOf('\n') + 1));
    assertNothingIsEverybodys();
    RuleDatabase database = DatabaseOpener.open(guest, true);
    assertTrue(database.tellsChanges());
    database.insert(RuleTable.RULES, RuleDatabaseContract.RULE, "alice");
    assertEquals("alice", database.latestChanges(1).get(0).by());
    TestSql.run(owner, "REVOKE USAGE ON SCHEMA weir FROM " + role("app"));
    assertTrue(
        String.valueOf(
                assertThrows(
                        RulesUnavailableException.class, () -> DatabaseOpener.open(guest, true))
                    .getMessage())
            .contains("GRANT USAGE ON SCHEMA weir TO"));
  }

  @Test
  void aRoleThatOwnsAnEmptySchemaMakesTheRestItself() {
    DataSource app = login("app");
    TestSql.run(owner, "CREATE SCHEMA weir AUTHORIZATION " + role("app"));
    assertTrue(DatabaseOpener.open(app, true).tellsChanges());
    assertFalse(
        TestSql.texts(owner, "SELECT tablename FROM pg_tables WHERE schemaname = 'weir'")
            .isEmpty());
    assertEquals(
        List.of(), TestSql.texts(owner, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'"));
  }

  /** As anybody may create in {@code public} where PostgreSQL 14 made the database. */
  @Test
  void operatorsThatAStrangerMadeInPublicNeverRun() throws SQLException {
    TestSql.run(owner, "GRANT CREATE ON SCHEMA public TO PUBLIC");
    DataSource app = login("app");
    TestSql.run(
        owner,
        "CREATE SCHEMA weir AUTHORIZATION " + role("app"),
        "CREATE TABLE public.operation_costs (id INTEGER, endpoint TEXT, method TEXT, cost INTEGER)",
        "INSERT INTO public.operation_costs VALUES (1, '/a', 'GET', 5)",
        "GRANT SELECT ON public.operation_costs TO PUBLIC",
        "DO $$ BEGIN EXECUTE pg_catalog.format('ALTER SCHEMA public OWNER TO %I', current_user);"
            + " END $$");
    try (Connection lent = app.getConnection();
        Statement statement = lent.createStatement()) {
      statement.execute("SET search_path = public, pg_catalog");
      runsNoTrap(new OneConnection(lent));
      try (ResultSet row = statement.executeQuery("SHOW search_path")) {
        row.next();
        assertEquals("public, pg_catalog", row.getString(1), "for the application again");
      }
    }
  }

  private void runsNoTrap(DataSource app) {
    login("stranger");
    String stranger = url.replace("user=postgres", "user=" + role("stranger"));
    assertTrue(OperatorTraps.set(stranger, "public") > 500);
    RuleDatabase database = DatabaseOpener.open(app, true);
    ChangePosition start = database.position();
    StoredRow rule = database.insert(RuleTable.RULES, RuleDatabaseContract.RULE, "alice");
    database.update(rule, RuleDatabaseContract.RULE, "alice");
    database.insert(RuleTable.USERS, Map.of("user_id", "a", "tier", "free"), "alice");
    assertEquals(1, database.ofUsers(RuleTable.USERS, List.of("a", "b")).size());
    assertEquals(1, database.tiersOf(List.of("a", "b")).rows().size());
    assertEquals(1, database.all(RuleTable.RULES).size());
    assertEquals(3, database.changesSince(start, 10).changes().size());
    assertEquals(3, database.latestChanges(10).size());
    assertEquals(2, database.changesOf("rate_limit_rules", rule.key()).size());
    for (RuleTable table : RuleTable.values()) {
      assertFalse(database.fingerprint(table).isEmpty());
      assertFalse(database.contents(table).isEmpty());
    }
    assertEquals(Set.of(), database.withoutTriggers());
    ForeignTables foreign = new ForeignTables(database, Optional.empty());
    foreign.look();
    assertEquals(
        Optional.of("public.operation_costs"), foreign.title(RuleTable.COSTS), "in its own path");
    assertEquals(1, foreign.read(RuleTable.COSTS).orElseThrow().size());
    assertTrue(database.identity().isEmpty() || !database.identity().get().isBlank());
  }

  /** A stranger who may make schemas makes Weir's, before Weir starts for the first time. */
  @Test
  void aSchemaThatAStrangerPreparedIsRefusedBeforeAnythingOfItIsUsed() {
    DataSource stranger = login("stranger", createSchemas());
    TestSql.run(
        stranger,
        "CREATE SCHEMA weir",
        "GRANT ALL ON SCHEMA weir TO PUBLIC",
        "CREATE SEQUENCE weir.caught",
        "GRANT ALL ON weir.caught TO PUBLIC",
        "CREATE FUNCTION weir.evil() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN PERFORM pg_catalog.nextval('weir.caught'); RETURN NEW; END $$",
        "CREATE TABLE weir.weir_schema_history (version VARCHAR(50) PRIMARY KEY, script VARCHAR(200),"
            + " checksum INTEGER, at TIMESTAMP(6) WITH TIME ZONE)",
        "GRANT ALL ON weir.weir_schema_history TO PUBLIC",
        "CREATE POLICY evil ON weir.weir_schema_history USING (pg_catalog.nextval('weir.caught') > 0)",
        "ALTER TABLE weir.weir_schema_history ENABLE ROW LEVEL SECURITY",
        "INSERT INTO weir.weir_schema_history VALUES ('9', 'V9__evil.sql', 1, CURRENT_TIMESTAMP)",
        "CREATE TRIGGER evil BEFORE INSERT ON weir.weir_schema_history FOR EACH ROW"
            + " EXECUTE FUNCTION weir.evil()");
    String named =
        role("stranger")
            + " owns the function weir.evil, the schema, the table weir.weir_schema_history. ";
    for (DataSource weir : List.of(login("app"), owner)) {
      for (boolean migrate : List.of(true, false)) {
        String told = refused(weir, migrate);
        assertTrue(told.contains(named), told);
        assertTrue(told.contains("\nALTER SCHEMA weir OWNER TO postgres;\nALTER TABLE"), told);
      }
    }
    assertEquals("f", TestSql.text(owner, "SELECT is_called FROM weir.caught"));
    String told = refused(owner, true);
    TestSql.run(owner, told.substring(told.indexOf('\n') + 1));
    TestSql.run(owner, "DROP TABLE weir.weir_schema_history");
    assertTrue(DatabaseOpener.open(owner, true).tellsChanges());
  }

  /** A function of a trigger runs as whoever changes a row, wherever it is. */
  @Test
  void aFunctionOfAStrangersTriggerIsRefused() {
    DatabaseOpener.open(owner, true);
    DataSource stranger =
        login("stranger", "GRANT CREATE ON SCHEMA public", "GRANT USAGE ON SCHEMA weir");
    TestSql.run(owner, "GRANT TRIGGER ON weir.switches TO " + role("stranger"));
    TestSql.run(
        stranger,
        "CREATE FUNCTION public.evil() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN NEW; END'",
        "CREATE TRIGGER evil BEFORE INSERT ON weir.switches FOR EACH ROW"
            + " EXECUTE FUNCTION public.evil()");
    String told = refused(owner, true);
    assertTrue(told.contains("the function public.evil of a trigger on weir.switches"), told);
    TestSql.run(owner, "DROP TRIGGER evil ON weir.switches");
    assertTrue(DatabaseOpener.open(owner, true).tellsChanges());
  }

  /** A DBA's, a team's, and in clouds a role that may do all but isn't a superuser. */
  @Test
  void aSchemaOfTheDatabasesOwnerOrOfARoleOfItsOwnIsUsed() {
    DatabaseOpener.open(owner, true);
    DataSource app = login("app");
    TestSql.run(
        owner,
        "GRANT USAGE ON SCHEMA weir TO " + role("app"),
        "GRANT ALL ON ALL TABLES IN SCHEMA weir TO " + role("app"));
    assertTrue(DatabaseOpener.open(app, true).tellsChanges(), "of a superuser");
    login("team");
    TestSql.run(owner, "ALTER SCHEMA weir OWNER TO " + role("team"));
    assertTrue(refused(app, true).contains(role("team") + " owns the schema. "));
    assertTrue(
        DatabaseOpener.open(app, true, SchemaName.USUAL, Set.of("other", role("team")))
            .tellsChanges(),
        "of a role that is named");
    TestSql.run(owner, "GRANT " + role("team") + " TO " + role("app"));
    assertTrue(DatabaseOpener.open(app, true).tellsChanges(), "of a role whose member it is");
    assertTrue(refused(owner, true).contains(role("team")));
    login("admins");
    TestSql.run(
        owner,
        "GRANT " + role("admins") + " TO " + role("team"),
        "ALTER DATABASE " + name() + " OWNER TO " + role("admins"));
    assertTrue(DatabaseOpener.open(owner, true).tellsChanges(), "of a member of the owner");
    TestSql.run(owner, "ALTER SCHEMA weir OWNER TO pg_database_owner");
    assertTrue(DatabaseOpener.open(owner, true).tellsChanges(), "of whoever owns the database");
  }

  /** Until PostgreSQL 14 a role that may log in can make others its members. */
  @Test
  void aStrangerThatMakesWeirsRoleItsMemberStaysOne() {
    DataSource app = login("app");
    TestSql.run(login("stranger", createSchemas()), "CREATE SCHEMA weir");
    TestSql.run(owner, "GRANT " + role("stranger") + " TO " + role("app"));
    TestSql.run(
        owner, // as PostgreSQL 14 notes it
        "UPDATE pg_auth_members SET grantor = roleid WHERE roleid = '"
            + role("stranger")
            + "'::regrole");
    assertTrue(refused(app, true).contains(role("stranger") + " owns the schema. "));
  }

  private String createSchemas() {
    return "GRANT CREATE ON DATABASE " + name();
  }

  /** Returns what a start is refused with. */
  private static String refused(DataSource database, boolean migrate) {
    IllegalStateException told =
        assertThrows(IllegalStateException.class, () -> DatabaseOpener.open(database, migrate));
    assertFalse(told instanceof RulesUnavailableException, "which is tried again");
    return String.valueOf(told.getMessage());
  }
}
