package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaNameTest {
  private static DataSource fresh(Dialect dialect) {
    return dialect == Dialect.H2
        ? H2MemoryTest.memory()
        : PostgresServer.source(PostgresServer.shared().newDatabase());
  }

  /** Also where the name is a word of SQL. */
  @ParameterizedTest
  @EnumSource
  void twoSchemasOfOneDatabaseKnowNothingOfEachOther(Dialect dialect) {
    DataSource source = fresh(dialect);
    RuleDatabase usual = DatabaseOpener.open(source, true);
    RuleDatabase other = DatabaseOpener.open(source, true, new SchemaName("order"));
    assertTrue(other.tellsChanges());
    ChangePosition start = other.position();
    usual.insert(RuleTable.RULES, RuleDatabaseContract.RULE, "alice");
    assertEquals(List.of(), other.all(RuleTable.RULES));
    assertEquals(List.of(), other.changesSince(start, 10).changes());

    other.insert(RuleTable.USERS, Map.of("user_id", "ann", "tier", "gold"), "bob");
    assertEquals(List.of(), usual.ofUsers(RuleTable.USERS, List.of("ann")));
    assertEquals(1, other.ofUsers(RuleTable.USERS, List.of("ann")).size());
    assertEquals("bob", other.changesSince(start, 10).changes().get(0).by());
    assertEquals("alice", usual.latestChanges(1).get(0).by());
  }

  /** Tables of others are neither read, nor changed, nor hidden. */
  @ParameterizedTest
  @EnumSource
  void tablesOfTheSameNamesElsewhereStayAsTheyAre(Dialect dialect) {
    DataSource source = fresh(dialect);
    TestSql.run(
        source,
        "CREATE TABLE rate_limit_violations (id INT, mine VARCHAR(9))",
        "INSERT INTO rate_limit_violations VALUES (1, 'mine')");
    RuleDatabase database = DatabaseOpener.open(source, true);
    database.insert(RuleTable.RULES, RuleDatabaseContract.RULE, "alice");
    assertEquals("mine", TestSql.text(source, "SELECT mine FROM public.rate_limit_violations"));
    String columns =
        "SELECT COUNT(*) FROM information_schema.columns WHERE LOWER(table_schema) = 'public'";
    assertEquals(2, TestSql.number(source, columns));
  }

  @Test
  void namesTheTablesOfAnotherSchemaAndNothingElse() {
    SchemaName other = new SchemaName("billing");
    String sql =
        "SELECT set_config('weir.author', 'weir', true) FROM weir.weir_nodes n, x.weir.y, io_weir.z";
    assertEquals(sql, SchemaName.USUAL.in(sql, Dialect.POSTGRESQL));
    assertEquals(
        "SELECT set_config('weir.author', 'billing', true) FROM \"billing\".weir_nodes n,"
            + " x.weir.y, io_weir.z",
        other.in(sql, Dialect.POSTGRESQL));
    assertTrue(other.in(sql, Dialect.H2).contains("FROM \"BILLING\".weir_nodes"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Weir", "a-b", "9a", "a b", "a\"b", "public", "information_schema", "pg_x"})
  void refusesSchemasOfOthersAndNamesThatNeedQuotes(String name) {
    assertThrows(IllegalArgumentException.class, () -> new SchemaName(name));
  }

  @Test
  void allStatementsOfTheModuleNameTheSchema() throws Exception {
    assertEquals(List.of(), UnqualifiedSql.in("src/main/java"));
  }
}
