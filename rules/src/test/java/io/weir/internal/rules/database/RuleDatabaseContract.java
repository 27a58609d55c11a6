package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.rules.history.RuleChange;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of rules' databases. */
public abstract class RuleDatabaseContract {
  public static final Map<String, String> RULE =
      Map.of(
          "tier", "free",
          "endpoint_pattern", "/api/*",
          "limit_count", "10",
          "window_seconds", "60");

  private DataSource source;
  private RuleDatabase database;

  /** An empty database of its own. */
  abstract DataSource fresh();

  @BeforeEach
  void open() {
    source = fresh();
    database = DatabaseOpener.open(source, true);
  }

  void sql(String... statements) {
    TestSql.run(source, statements);
  }

  @Test
  void keepsAndFindsARule() {
    StoredRow saved = database.insert(RuleTable.RULES, RULE, "alice");
    assertEquals(Optional.of("/api/*"), saved.column("endpoint_pattern"));
    assertEquals(Optional.of("10"), saved.column("limit_count"));
    assertEquals(Optional.empty(), saved.column("burst"), "a default is never stored");
    assertEquals(1, saved.version());
    assertEquals(Optional.of("alice"), saved.column("updated_by"));
    assertEquals(List.of(saved), database.all(RuleTable.RULES));
    assertEquals(Optional.of(saved), database.find(RuleTable.RULES, saved.key()));
    assertEquals(Optional.empty(), database.find(RuleTable.RULES, "12345"));
    assertEquals(Optional.empty(), database.find(RuleTable.RULES, "no number"));
  }

  @Test
  void anUpdateNamesTheVersionItWasMadeFrom() {
    StoredRow first = database.insert(RuleTable.RULES, RULE, "alice");
    Map<String, String> larger = with(RULE, "limit_count", "20");
    StoredRow second = database.update(first, larger, "bob");
    assertEquals(2, second.version());
    assertEquals(Optional.of("20"), second.column("limit_count"));
    assertEquals(Optional.of("bob"), second.column("updated_by"));
    assertEquals(first.column("created_at"), second.column("created_at"));
    ConflictException told =
        assertThrows(ConflictException.class, () -> database.update(first, RULE, "carol"));
    assertTrue(told.getMessage().contains("version 2"), told.getMessage());
    assertThrows(ConflictException.class, () -> database.delete(first, "carol"));
    database.delete(second, "carol");
    assertThrows(ConflictException.class, () -> database.update(second, RULE, "carol"));
    assertEquals(List.of(), database.all(RuleTable.RULES));
  }

  @Test
  void anUpdateReplacesWhatItDoesNotName() {
    StoredRow first = database.insert(RuleTable.RULES, with(RULE, "name", "mine"), "alice");
    StoredRow second = database.update(first, RULE, "alice");
    assertEquals(Optional.empty(), second.column("name"));
  }

  @Test
  void readsTiersOfNoMoreUsersThanFitIntoMemory() {
    String large = "x".repeat((int) UserRows.MAX_BYTES / 2);
    for (String user : List.of("a", "b", "c", "d")) {
      String limits = user.equals("d") ? large + large + large : large;
      database.insert(
          RuleTable.USERS, Map.of("user_id", user, "tier", "free", "custom_limits", limits), "me");
    }
    UserRows first = database.tiersOf(List.of("d", "c", "b", "nobody", "a"));
    assertEquals(List.of("a", "b"), first.rows().stream().map(StoredRow::key).toList());
    assertFalse(first.isAll());
    UserRows alone = database.tiersOf(List.of("d", "nobody"));
    assertEquals(3L * large.length(), alone.rows().get(0).column("custom_limits").get().length());
    assertTrue(alone.isAll());
    assertEquals(new UserRows(List.of(), true), database.tiersOf(List.of("e", "f")));
    assertEquals(1, database.tiersOf(List.of("a")).rows().size());
  }

  @Test
  void keepsEachTypeOfColumnAsText() {
    Map<String, String> columns =
        with(
            with(with(RULE, "valid_until", "2027-01-31T10:00:00Z"), "strict", "true"),
            "cost_from",
            "query:ä");
    StoredRow saved = database.insert(RuleTable.RULES, columns, "alice");
    columns.forEach((name, text) -> assertEquals(Optional.of(text), saved.column(name)));
  }

  @Test
  void tellsWhatIsWrongWithAColumn() {
    InvalidRuleException number =
        assertThrows(
            InvalidRuleException.class,
            () -> database.insert(RuleTable.RULES, with(RULE, "limit_count", "ten"), "alice"));
    assertEquals("limit_count", number.problems().get(0).field());
    InvalidRuleException length =
        assertThrows(
            InvalidRuleException.class,
            () -> database.insert(RuleTable.RULES, with(RULE, "tier", "x".repeat(101)), "alice"));
    assertEquals("tier", length.problems().get(0).field());
    InvalidRuleException none =
        assertThrows(
            InvalidRuleException.class,
            () -> database.insert(RuleTable.RULES, with(RULE, "colour", "red"), "alice"));
    assertEquals("colour", none.problems().get(0).field());
    assertThrows(
        InvalidRuleException.class,
        () -> database.insert(RuleTable.RULES, Map.of("tier", "free"), "alice"));
    assertEquals(List.of(), database.latestChanges(10), "nothing was changed");
  }

  @Test
  void aRowOfOneKeyIsThereOnce() {
    Map<String, String> user = Map.of("user_id", "ann@example.org", "tier", "free");
    database.insert(RuleTable.USERS, user, "alice");
    ConflictException told =
        assertThrows(
            ConflictException.class, () -> database.insert(RuleTable.USERS, user, "alice"));
    assertFalse(told.getMessage().contains("ann"), "nothing personal in a message");
  }

  @Test
  void aFailedBatchTellsNoValues() {
    String name = "eve".repeat(200); // longer than the column
    RulesUnavailableException refused =
        assertThrows(
            RulesUnavailableException.class,
            () ->
                database.inTransaction(
                    "users can't be written",
                    connection -> {
                      try (PreparedStatement statement =
                          connection.prepareStatement(
                              "INSERT INTO weir.user_tiers (user_id, tier) VALUES (?, 'free')")) {
                        for (String each : List.of(name, name)) {
                          statement.setString(1, each);
                          statement.addBatch();
                        }
                        return statement.executeBatch();
                      }
                    }));
    assertFalse(refused.getMessage().contains("eve"), refused.getMessage());
    assertTrue(refused.getMessage().contains("SQLSTATE 22001"), refused.getMessage());
  }

  @Test
  void findsManyUsersByOneStatement() {
    for (String user : List.of("a", "b", "c")) {
      database.insert(RuleTable.USERS, Map.of("user_id", user, "tier", "free"), "alice");
    }
    List<StoredRow> found = database.ofUsers(RuleTable.USERS, List.of("a", "c", "nobody"));
    assertEquals(List.of("a", "c"), found.stream().map(StoredRow::key).toList());
    assertEquals(List.of(), database.ofUsers(RuleTable.USERS, List.of()));
  }

  @Test
  void tellsEachChangeWithItsAuthor() {
    assertTrue(database.tellsChanges());
    ChangePosition start = database.position();
    StoredRow first = database.insert(RuleTable.RULES, RULE, "alice");
    StoredRow second = database.update(first, with(RULE, "limit_count", "20"), "bob");
    database.delete(second, "carol");
    ChangeBatch batch = database.changesSince(start, 100);
    assertEquals(
        List.of("alice", "bob", "carol"), batch.changes().stream().map(RuleChange::by).toList());
    assertFalse(batch.isMore());
    RuleChange update = batch.changes().get(1);
    assertEquals("rate_limit_rules", update.table());
    assertEquals(first.key(), update.rowKey());
    assertEquals(first, row(update.before()));
    assertEquals(second, row(update.after()));
    assertEquals(Optional.empty(), batch.changes().get(0).before());
    assertEquals(Optional.empty(), batch.changes().get(2).after());
    assertEquals(List.of(), database.changesSince(batch.position(), 100).changes());
    assertEquals(3, database.changesOf("rate_limit_rules", first.key()).size());
    assertEquals(List.of(batch.changes().get(2)), database.latestChanges(1));
    assertEquals(Optional.of(update), database.change(update.number()));
    assertEquals(Optional.empty(), database.change(987_654));
  }

  private static StoredRow row(Optional<String> json) {
    StoredRow row = StoredRow.ofJson(RuleTable.RULES, "", json.orElseThrow());
    return new StoredRow(RuleTable.RULES, row.column("id").orElseThrow(), row.columns());
  }

  @Test
  void tellsChangesByPlainSql() {
    ChangePosition start = database.position();
    sql(
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds)"
            + " VALUES ('free', '/api/*', 10, 60)",
        "INSERT INTO weir.user_tiers (user_id, tier) VALUES ('a', 'free')",
        "UPDATE weir.user_tiers SET tier = 'premium'",
        "UPDATE weir.user_tiers SET user_id = 'b'",
        "INSERT INTO weir.operation_costs (endpoint, method, cost) VALUES ('/api/*', 'GET', 2)",
        "INSERT INTO weir.switches (policy, state, until) VALUES ('*', 'OFF', CURRENT_TIMESTAMP)",
        "DELETE FROM weir.switches");
    List<RuleChange> changes = database.changesSince(start, 100).changes();
    assertEquals(
        List.of(false, true, true, true, true, false, false, false),
        database.changesSince(start, 100, ChangeDetail.WITHOUT_RULES).changes().stream()
            .map(each -> each.before().isPresent() || each.after().isPresent())
            .toList());
    assertEquals(
        List.of(
            "rate_limit_rules",
            "user_tiers",
            "user_tiers",
            "user_tiers",
            "user_tiers",
            "operation_costs",
            "switches",
            "switches"),
        changes.stream().map(RuleChange::table).toList());
    assertEquals(List.of("a", "a", "a", "b"), keys(changes.subList(1, 5)), "a changed key is two");
    assertFalse(changes.get(0).by().isEmpty(), "the database's user");
    assertNotEquals("alice", changes.get(0).by());
    StoredRow user = database.find(RuleTable.USERS, "b").orElseThrow();
    assertEquals(3, user.version(), "raised where the writer didn't");
    assertTrue(user.column("updated_at").isPresent());
    assertTrue(user.column("created_at").isPresent());
    StoredRow rule = database.all(RuleTable.RULES).get(0);
    assertEquals(Optional.of(changes.get(0).by()), rule.column("updated_by"));
  }

  private static List<String> keys(List<RuleChange> changes) {
    return changes.stream().map(RuleChange::rowKey).toList();
  }

  @Test
  void anAuthorIsForgottenWithTheChange() throws SQLException {
    try (Connection connection = source.getConnection()) {
      DataSource one = new OneConnection(connection);
      DatabaseOpener.open(one, false).insert(RuleTable.RULES, RULE, "alice");
      TestSql.run(one, "UPDATE weir.rate_limit_rules SET limit_count = 11");
    }
    assertNotEquals("alice", database.latestChanges(1).get(0).by());
  }

  /** A pool of the application may keep transactions open unless told otherwise. */
  @Test
  void aBorrowedConnectionGoesBackAsItCame() throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      DatabaseOpener.open(new OneConnection(connection), true)
          .insert(RuleTable.RULES, RULE, "alice");
      assertFalse(connection.getAutoCommit());
      connection.rollback();
      connection.setAutoCommit(true);
    }
    assertEquals(1, database.all(RuleTable.RULES).size());
  }

  @Test
  void aChangeThatIsRolledBackIsNone() throws SQLException {
    ChangePosition start = database.position();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO weir.user_tiers (user_id, tier) VALUES ('a', 'free')");
      connection.rollback();
      connection.setAutoCommit(true);
    }
    database.insert(RuleTable.RULES, RULE, "alice");
    ChangeBatch batch = database.changesSince(start, 100);
    assertEquals(1, batch.changes().size());
    ChangeBatch next = database.changesSince(batch.position(), 100);
    assertEquals(List.of(), next.changes());
    assertFalse(next.isMore() || next.isLost());
  }

  @Test
  void aTransactionThatCommitsLateIsFound() throws SQLException {
    try (Connection late = source.getConnection();
        Statement statement = late.createStatement()) {
      late.setAutoCommit(false);
      statement.execute("INSERT INTO weir.user_tiers (user_id, tier) VALUES ('late', 'free')");
      database.insert(RuleTable.USERS, Map.of("user_id", "soon", "tier", "free"), "alice");
      ChangePosition start = database.position();
      database.insert(RuleTable.USERS, Map.of("user_id", "next", "tier", "free"), "alice");
      ChangeBatch batch = database.changesSince(start, 100);
      assertEquals(List.of("next"), keys(batch.changes()));
      statement.execute("INSERT INTO weir.user_tiers (user_id, tier) VALUES ('later', 'free')");
      late.commit();
      late.setAutoCommit(true);
      ChangeBatch after = database.changesSince(batch.position(), 100);
      assertEquals(List.of("late", "later"), keys(after.changes()));
      assertEquals(List.of(), database.changesSince(after.position(), 100).changes());
    }
  }

  @Test
  void manyChangesComeInBatches() {
    StringBuilder values = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      values.append(i == 0 ? "" : ", ").append("('u").append(i).append("', 'free')");
    }
    ChangePosition position = database.position();
    sql("INSERT INTO weir.user_tiers (user_id, tier) VALUES " + values);
    List<String> seen = new ArrayList<>();
    ChangeBatch batch;
    do {
      batch = database.changesSince(position, 300);
      assertTrue(batch.changes().size() <= 300);
      seen.addAll(keys(batch.changes()));
      position = batch.position();
    } while (batch.isMore());
    assertEquals(1000, seen.size());
    assertEquals(1000, new HashSet<>(seen).size());
  }

  /** A page of changes must fit into the memory of a small node. */
  @Test
  void changesOfLargeRowsComeInBatchesBoundedInBytes() {
    ChangePosition position = database.position();
    String limits = "{\"" + "x".repeat(50_000) + "\": 1}";
    int users = 100;
    for (int i = 0; i < users; i++) {
      sql("INSERT INTO user_tiers (user_id, tier) VALUES ('u" + i + "', 'free')");
    }
    sql("UPDATE user_tiers SET custom_limits = '" + limits + "'");
    int seen = 0;
    ChangeBatch batch;
    do {
      batch = database.changesSince(position, 2_000);
      int bytes =
          batch.changes().stream()
              .mapToInt(
                  each -> each.after().orElse("").length() + each.before().orElse("").length())
              .sum();
      assertTrue(bytes <= 4_000_000, () -> bytes + " bytes");
      seen += batch.changes().size();
      position = batch.position();
    } while (batch.isMore());
    assertEquals(2 * users, seen);
  }

  @Test
  void twoWritersLoseNoUpdate() throws Exception {
    StoredRow row = database.insert(RuleTable.RULES, with(RULE, "limit_count", "1"), "alice");
    Runnable adds =
        () -> {
          for (int done = 0; done < 50; ) {
            StoredRow seen = database.find(RuleTable.RULES, row.key()).orElseThrow();
            long limit = Long.parseLong(seen.column("limit_count").orElseThrow());
            try {
              database.update(seen, with(RULE, "limit_count", "" + (limit + 1)), "alice");
              done++;
            } catch (ConflictException again) {
              // the other one was first
            }
          }
        };
    Thread other = new Thread(adds);
    other.start();
    adds.run();
    other.join();
    StoredRow last = database.find(RuleTable.RULES, row.key()).orElseThrow();
    assertEquals(Optional.of("101"), last.column("limit_count"));
    assertEquals(101, last.version());
  }

  @Test
  void findsSomeRowsByTheKeysThatTheHistoryHas() {
    StoredRow first = database.insert(RuleTable.RULES, RULE, "alice");
    database.insert(RuleTable.RULES, with(RULE, "tier", "gold"), "alice");
    StoredRow third = database.insert(RuleTable.RULES, with(RULE, "tier", "basic"), "alice");
    List<String> keys =
        database.latestChanges(10).stream()
            .map(RuleChange::rowKey)
            .filter(key -> key.equals(first.key()) || key.equals(third.key()))
            .toList();
    assertEquals(2, keys.size());
    assertEquals(Optional.of(List.of(first, third)), database.withKeys(RuleTable.RULES, keys));
    assertEquals(Optional.of(List.of()), database.withKeys(RuleTable.RULES, List.of("12345")));
    assertEquals(
        Optional.empty(),
        database.withKeys(RuleTable.RULES, List.of(first.key(), first.key() + ".0")),
        "no row has a key that is written like this");
    assertEquals(Optional.of(List.of()), database.withKeys(RuleTable.SWITCHES, List.of("search")));
    List<String> tooMany = Collections.nCopies(RuleDatabase.MAX_KEYS + 1, "1");
    assertThrows(IllegalArgumentException.class, () -> database.withKeys(RuleTable.RULES, tooMany));
  }

  @Test
  void aFingerprintDiffersAfterAChange() {
    String empty = database.fingerprint(RuleTable.RULES);
    sql(
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds)"
            + " VALUES ('free', '/api/*', 10, 60)");
    assertNotEquals(empty, database.fingerprint(RuleTable.RULES));
    String one;
    do { // PostgreSQL publishes its counts of writes a moment later
      one = database.fingerprint(RuleTable.RULES);
    } while (!one.equals(database.fingerprint(RuleTable.RULES)));
    String costs = database.fingerprint(RuleTable.COSTS);
    sql("INSERT INTO weir.operation_costs (endpoint, method, cost) VALUES ('/api/*', 'GET', 2)");
    assertNotEquals(costs, database.fingerprint(RuleTable.COSTS));
  }

  static Map<String, String> with(Map<String, String> columns, String name, String text) {
    Map<String, String> all = new LinkedHashMap<>(columns);
    all.put(name, text);
    return all;
  }
}
