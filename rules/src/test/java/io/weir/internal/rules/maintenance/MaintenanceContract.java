package io.weir.internal.rules.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Elects a leader and purges old rows in every database alike. */
abstract class MaintenanceContract {
  private static final Instant NOW = Instant.parse("2027-03-01T12:00:00Z");

  private final List<LeaderElection> open = new ArrayList<>();
  private DataSource source;
  private RuleDatabase database;

  abstract DataSource fresh();

  @BeforeEach
  void start() {
    source = fresh();
    database = DatabaseOpener.open(source, true);
  }

  @AfterEach
  void stop() {
    open.forEach(LeaderElection::close);
  }

  static void await(String what, BooleanSupplier happened) {
    long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!happened.getAsBoolean()) {
      assertTrue(System.nanoTime() < until, "never happened: " + what);
      LockSupport.parkNanos(5_000_000);
    }
  }

  private LeaderElection node(String name, Duration hold) {
    LeaderElection node = new LeaderElection(database, "usage", name, hold, Ticker.system());
    open.add(node);
    node.start();
    return node;
  }

  private void sql(String... statements) {
    TestSql.run(source, statements);
  }

  private List<String> texts(String sql) {
    return TestSql.texts(source, sql);
  }

  @Test
  void oneNodeIsTheLeaderAndStaysItWhileItLives() throws InterruptedException {
    List<LeaderElection> nodes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      nodes.add(node("node" + i, Duration.ofSeconds(4)));
    }
    await("a node is the leader", () -> nodes.stream().anyMatch(LeaderElection::isLeader));
    LeaderElection holder =
        nodes.stream().filter(LeaderElection::isLeader).findFirst().orElseThrow();
    long started = System.nanoTime();
    long looked = started;
    long longestPause = 0;
    while (looked - started < Duration.ofSeconds(6).toNanos()) {
      assertTrue(nodes.stream().filter(LeaderElection::isLeader).count() <= 1);
      Thread.sleep(5);
      longestPause = Math.max(longestPause, System.nanoTime() - looked);
      looked = System.nanoTime();
    }
    assertEquals(1, texts("SELECT holder FROM weir.weir_duties").size());
    await(
        "a node is the leader, the same one unless all stood still",
        longestPause < Duration.ofSeconds(1).toNanos()
            ? holder::isLeader
            : () -> nodes.stream().anyMatch(LeaderElection::isLeader));
  }

  @Test
  void aLeaderThatIsClosedIsReplacedAtOnce() {
    LeaderElection first = node("first", Duration.ofHours(1));
    await("the first is the leader", first::isLeader);
    first.close();
    assertFalse(first.isLeader());
    assertEquals(List.of(), texts("SELECT holder FROM weir.weir_duties"));
    LeaderElection second = node("second", Duration.ofHours(1));
    await("the second is the leader", second::isLeader);
  }

  @Test
  void withoutItsTableNoNodeIsTheLeader() {
    sql("DROP TABLE weir.weir_duties");
    LeaderElection only = node("only", Duration.ofMillis(200));
    only.close();
    assertFalse(only.isLeader());
  }

  private void old(String table, String column, String columns, String values, int days) {
    sql(
        "INSERT INTO "
            + table
            + " ("
            + column
            + ", "
            + columns
            + ") VALUES (TIMESTAMP WITH TIME ZONE '"
            + NOW.minus(Duration.ofDays(days)).toString().replace('T', ' ').replace("Z", "+00")
            + "', "
            + values
            + ")");
  }

  private void fill(int days) {
    String endpoint = "'ann', '/" + days + "'";
    old("usage_minutes", "starts_at", "user_id, endpoint, requests", endpoint + ", 1", days);
    for (String table : List.of("usage_hourly", "usage_daily")) {
      old(
          table,
          "starts_at",
          "user_id, endpoint, requests, refused, permits, peak_minute",
          endpoint + ", 1, 1, 1, 1",
          days);
    }
    old(
        "weir_outcomes_hourly",
        "starts_at",
        "policy, admitted, refused, soft, shadow_refused, degraded",
        "'/" + days + "', 1, 1, 1, 1, 1",
        days);
    old(
        "rate_limit_violations",
        "timestamp",
        "user_id, endpoint, policy",
        endpoint + ", 'p'",
        days);
    old(
        "anomalies",
        "until",
        "user_id, endpoint, score, action, since",
        endpoint + ", 1, 'x', " + "CURRENT_TIMESTAMP",
        days);
    old("access_list", "valid_until", "action, subject", "'DENY', 'user:" + days + "'", days);
    old("rule_changes", "at", "table_name, row_key", "'user_tiers', '/" + days + "'", days);
    old("rule_changes", "at", "table_name, row_key", "'rate_limit_rules', '/" + days + "'", days);
  }

  private List<String> left(String table) {
    return texts("SELECT endpoint FROM " + table + " ORDER BY endpoint");
  }

  @Test
  void whatIsOldGoesAndWhatIsNotStays() {
    for (int days : List.of(0, 2, 8, 31, 91, 401)) {
      fill(days);
    }
    sql("DELETE FROM weir.rule_changes WHERE table_name IN ('anomalies', 'access_list')");
    old("rule_changes", "at", "table_name, row_key", "'access_list', '/8'", 8);
    sql("INSERT INTO weir.access_list (action, subject) VALUES ('DENY', 'user:ever')");
    new ExpiredRowPurge(database, () -> true, RetentionPeriods.USUAL, new FakeTicker(NOW)).purge();
    assertEquals(List.of("/0"), left("usage_minutes"));
    assertEquals(List.of("/0", "/2", "/31", "/8"), left("usage_hourly"));
    assertEquals(
        List.of("/0", "/2", "/31", "/8"),
        texts("SELECT policy FROM weir.weir_outcomes_hourly ORDER BY policy"));
    assertEquals(List.of("/0", "/2", "/31", "/8", "/91"), left("usage_daily"));
    assertEquals(List.of("/0", "/2", "/8"), left("rate_limit_violations"));
    assertEquals(List.of("/0", "/2", "/8"), left("anomalies"));
    assertEquals(
        List.of("user:0", "user:2", "user:8", "user:ever"),
        texts("SELECT subject FROM weir.access_list ORDER BY subject"));
    assertEquals(
        List.of("/0", "/2"),
        texts("SELECT row_key FROM weir.rule_changes WHERE table_name = 'user_tiers' ORDER BY 1"));
    assertEquals(
        List.of(),
        texts(
            "SELECT row_key FROM weir.rule_changes WHERE table_name = 'access_list'"
                + " AND row_key = '/8'"));
    assertEquals(
        List.of("/0", "/2", "/31", "/8", "/91"),
        texts(
            "SELECT row_key FROM weir.rule_changes WHERE table_name = 'rate_limit_rules' ORDER BY 1"));
  }

  @Test
  void manyOldRowsGoInShortTransactionsAsLongAsTheNodeIsTheLeader() {
    String violation = "('ann', '/', 'p', TIMESTAMP '2020-01-01 00:00:00')";
    sql(
        "INSERT INTO weir.rate_limit_violations (user_id, endpoint, policy, timestamp) VALUES "
            + String.join(", ", Collections.nCopies(2_500, violation)));
    AtomicBoolean isLeader = new AtomicBoolean();
    int[] asked = {0};
    ExpiredRowPurge purge =
        new ExpiredRowPurge(
            database,
            () -> isLeader.get() && asked[0]++ != 1,
            RetentionPeriods.USUAL,
            new FakeTicker(NOW));
    purge.purge();
    assertEquals(2_500, left("rate_limit_violations").size(), "the node isn't the leader");
    isLeader.set(true);
    asked[0] = -3;
    purge.purge();
    assertEquals(1_500, left("rate_limit_violations").size(), "another leader after a batch");
    purge.purge();
    assertEquals(0, left("rate_limit_violations").size());
  }
}
