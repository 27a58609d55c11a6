package io.weir.internal.rules.anomalies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.usage.FinishedRequest;
import io.weir.internal.rules.usage.UsageRecorder;
import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.anomaly.AnomalyAction;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Detects anomalies on two nodes, of which one is the leader, in every database alike. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AnomaliesContract {
  private static final String POSTS = "/api/posts";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Sixteen requests a minute, for longer than a day. */
  private static final String SIXTEEN = "16:2000";

  private final List<AutoCloseable> open = new ArrayList<>();
  private final Decision decision =
      RateLimiter.inProcess()
          .tryAcquire(
              Policy.builder("any").limit(1_000).window(Duration.ofMinutes(1)).build(),
              Key.of("any"));

  private LogLines log;
  private FakeTicker ticker = new FakeTicker();
  private DataSource shared;
  private RuleDatabase sharedDatabase;
  private DataSource source;
  private RuleDatabase database;
  private volatile boolean isAway;
  private Node first;
  private Node second;

  /** An empty database of its own. */
  abstract DataSource fresh();

  /** Counts, looks for anomalies if it is the leader, and knows the current ones. */
  private record Node(UsageRecorder usage, AnomalyDetection detection) {
    void write() {
      usage.flush(PATIENCE);
    }

    /** Does what the feed does after each change. */
    void read() {
      detection.rowsChanged();
      detection.readIfStale();
    }

    List<AnomalyAction> actions(String user) {
      return detection.current().of(user).stream().map(Anomaly::action).toList();
    }
  }

  /** Its tables are made once. */
  @BeforeAll
  void open() {
    shared = fresh();
    sharedDatabase = open(shared, true);
  }

  @BeforeEach
  void start() {
    ticker = new FakeTicker(Instant.parse("2026-11-23T10:00:00Z"));
    log = new LogLines();
    source = shared;
    database = sharedDatabase;
    sql(
        "DELETE FROM weir.usage_minutes",
        "DELETE FROM weir.user_behaviors",
        "DELETE FROM weir.anomalies");
    nodes(AnomalyAction.BLOCK);
  }

  private RuleDatabase open(DataSource of, boolean migrate) {
    RuleDatabase opened = DatabaseOpener.open(of, migrate);
    return (RuleDatabase)
        Proxy.newProxyInstance(
            RuleDatabase.class.getClassLoader(),
            new Class<?>[] {RuleDatabase.class},
            (proxy, method, arguments) -> {
              if (isAway) {
                throw new RulesUnavailableException("away, on purpose", new SQLException());
              }
              try {
                return method.invoke(opened, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void nodes(AnomalyAction most) {
    first = node(most, true);
    second = node(most, false);
  }

  private Node node(AnomalyAction most, boolean isLeader) {
    UsageRecorder usage =
        new UsageRecorder(database, false, Duration.ofMinutes(1), () -> "free", ticker);
    AnomalyDetection detection =
        new AnomalyDetection(database, most, () -> isLeader, ticker, () -> {});
    detection.countIn(usage);
    open.add(detection);
    open.add(usage);
    return new Node(usage, detection);
  }

  @AfterEach
  void stop() throws Exception {
    isAway = false;
    log.close();
    for (AutoCloseable each : open) {
      each.close();
    }
    open.clear();
  }

  private void sql(String... statements) {
    TestSql.run(source, statements);
  }

  private List<String> query(String sql) {
    return TestSql.texts(source, sql);
  }

  /** Adds the baseline of a caller. */
  private void usual(String user, String histogram) {
    sql(
        "INSERT INTO weir.user_behaviors (user_id, endpoint, avg_interval, std_dev, updated_at,"
            + " histogram, samples) VALUES ('"
            + user
            + "', '/api/posts', 1, 1, CURRENT_TIMESTAMP, '"
            + histogram
            + "', 2000)");
  }

  private void requests(Node node, String user, int number) {
    long micros = ticker.instant().toEpochMilli() * 1_000;
    for (int i = 0; i < number; i++) {
      node.usage.finished(new FinishedRequest(user, POSTS, "", decision, micros));
    }
  }

  /** Two minutes later the leader looks for anomalies, and both nodes read them. */
  private void judge() {
    first.write();
    second.write();
    ticker.advance(Duration.ofMinutes(2));
    first.detection.scoreIfDue();
    second.detection.scoreIfDue();
    first.read();
    second.read();
  }

  private List<Anomaly> current() {
    return second.detection.stored().current();
  }

  @Test
  void oneNodeJudgesTheSumOfAllAndAllNodesAct() {
    usual("alice", SIXTEEN);
    requests(first, "alice", 80);
    requests(second, "alice", 80);
    judge();
    Anomaly found = current().get(0);
    assertEquals("alice", found.userId());
    assertEquals(POSTS, found.endpoint());
    assertEquals(AnomalyAction.THROTTLE, found.action(), "80 alone would only be reported");
    assertTrue(found.score() > 3 && found.score() < 4, found::toString);
    assertTrue(found.anomalous());
    assertEquals("160 requests in a minute, usually 16", found.reason());
    assertEquals(ticker.instant(), found.since());
    assertEquals(ticker.instant().plus(Duration.ofMinutes(10)), found.until());
    assertEquals(List.of(AnomalyAction.THROTTLE), first.actions("alice"));
    assertEquals(List.of(AnomalyAction.THROTTLE), second.actions("alice"));
    assertEquals(1, current().size());
  }

  @Test
  void whoHasNotTheDutyJudgesNothing() {
    usual("alice", SIXTEEN);
    requests(second, "alice", 1_000);
    second.write();
    ticker.advance(Duration.ofMinutes(2));
    second.detection.scoreIfDue();
    assertEquals(List.of(), current());
  }

  /** Before that, other nodes may not have written yet. */
  @Test
  void aMinuteIsJudgedOnceTheNextOneIsOverAndOnlyOnce() {
    usual("alice", SIXTEEN);
    requests(first, "alice", 1_000);
    first.write();
    ticker.advance(Duration.ofSeconds(119));
    first.detection.scoreIfDue();
    assertEquals(List.of(), current());
    ticker.advance(Duration.ofSeconds(1));
    first.detection.scoreIfDue();
    assertEquals(1, current().size());
    String learned = query("SELECT histogram FROM weir.user_behaviors").get(0);
    first.detection.scoreIfDue();
    assertEquals(learned, query("SELECT histogram FROM weir.user_behaviors").get(0));
  }

  @Test
  void aBaselineIsLearnedFromWhatHappens() {
    for (int i = 0; i < 12; i++) {
      requests(first, "alice", 16);
      judge();
    }
    assertEquals(List.of("16:12"), query("SELECT histogram FROM weir.user_behaviors"));
    assertEquals(List.of("12"), query("SELECT samples FROM weir.user_behaviors"));
    double interval =
        Double.parseDouble(query("SELECT avg_interval FROM weir.user_behaviors").get(0));
    assertEquals(60.0 / 16, interval, 0.01);
    assertEquals(
        0, Double.parseDouble(query("SELECT std_dev FROM weir.user_behaviors").get(0)), 0.01);
    requests(first, "alice", 100_000);
    judge();
    assertEquals(AnomalyAction.BLOCK, current().get(0).action());
    assertTrue(
        query("SELECT histogram FROM weir.user_behaviors").get(0).startsWith("16:12|"),
        "and the anomaly is kept out");
  }

  @Test
  void anActionEndsAfterTenMinutes() {
    usual("alice", SIXTEEN);
    requests(first, "alice", 1_000);
    judge();
    ticker.advance(Duration.ofMinutes(10).minusMillis(1));
    assertEquals(1, current().size());
    ticker.advance(Duration.ofMillis(1));
    assertEquals(List.of(), current());
    second.read();
    assertTrue(second.detection.current().isEmpty());
    assertEquals(1, second.detection.stored().recent(10).size());
    assertEquals(1, second.detection.stored().of("alice").size());
  }

  @Test
  void whileTheCallerGoesOnAnotherActionFollowsWithoutAPause() {
    usual("alice", SIXTEEN);
    requests(first, "alice", 1_000);
    first.write();
    ticker.advance(Duration.ofMinutes(1));
    for (int minute = 1; minute < 30; minute++) {
      requests(first, "alice", 1_000);
      first.write();
      ticker.advance(Duration.ofMinutes(1));
      assertTrue(minute == 1 || !current().isEmpty(), "minute " + minute);
      first.detection.scoreIfDue();
      assertFalse(current().isEmpty(), "minute " + minute);
    }
    assertEquals(4, second.detection.stored().of("alice").size());
  }

  @Test
  void whatGetsWorseIsActedUponAtOnce() {
    usual("alice", SIXTEEN);
    requests(first, "alice", 80);
    judge();
    assertEquals(AnomalyAction.MONITOR, current().get(0).action());
    requests(first, "alice", 1_000);
    judge();
    assertEquals(AnomalyAction.BLOCK, current().get(0).action());
    requests(first, "alice", 80);
    judge();
    assertEquals(2, current().size(), "the stronger one goes on");
  }

  @Test
  void whatAPersonHasEndedIsAllowedForADay() {
    usual("alice", SIXTEEN);
    requests(first, "alice", 1_000);
    judge();
    assertTrue(second.detection.stored().end("alice", POSTS, "bob"));
    first.read();
    second.read();
    assertTrue(first.detection.current().isEmpty());
    assertTrue(second.detection.current().isEmpty());
    Anomaly allowed = current().get(0);
    assertFalse(allowed.anomalous());
    assertEquals("ended by bob", allowed.reason());
    assertEquals(ticker.instant().plus(Duration.ofDays(1)), allowed.until());
    assertEquals("bob", database.latestChanges(1).get(0).by());
    requests(first, "alice", 1_000);
    judge();
    assertEquals(List.of(allowed), current());
    assertTrue(
        query("SELECT histogram FROM weir.user_behaviors").get(0).contains("40:1"),
        "and is usual now");
    assertFalse(second.detection.stored().end("alice", POSTS, "bob"), "nothing is done about it");
    ticker.advance(Duration.ofDays(1));
    requests(first, "alice", 5_000);
    judge();
    assertEquals(AnomalyAction.BLOCK, current().get(0).action());
  }

  @Test
  void onlyWhatIsNamedIsEnded() {
    usual("alice", SIXTEEN);
    requests(first, "alice", 1_000);
    judge();
    assertFalse(second.detection.stored().end("alice", "/api/other", "bob"));
    assertFalse(second.detection.stored().end("carol", POSTS, "bob"));
    assertThrows(
        IllegalArgumentException.class, () -> second.detection.stored().end("alice", POSTS, " "));
    assertEquals(1, current().size());
  }

  @Test
  void deletingTheRowBySqlEndsIt() {
    usual("alice", SIXTEEN);
    requests(first, "alice", 1_000);
    judge();
    sql("DELETE FROM weir.anomalies");
    first.read();
    second.read();
    assertTrue(first.detection.current().isEmpty());
    assertTrue(second.detection.current().isEmpty());
  }

  @Test
  void aRowBySqlActsUntilItsEnd() {
    sql(
        "INSERT INTO weir.anomalies (user_id, endpoint, score, action, since, until) VALUES ('carol',"
            + " '/api/posts', 9, 'throttle', TIMESTAMP WITH TIME ZONE '2026-11-23 09:00:00+00',"
            + " TIMESTAMP WITH TIME ZONE '2026-11-23 11:00:00+00')");
    second.read();
    assertEquals(List.of(AnomalyAction.THROTTLE), second.actions("carol"));
  }

  @Test
  void aRowThatCanNotBeUsedIsLeftOutAlone() {
    usual("alice", SIXTEEN);
    requests(first, "alice", 1_000);
    judge();
    sql(
        "INSERT INTO weir.anomalies (user_id, endpoint, score, action, since, until) VALUES ('carol',"
            + " '/api/posts', 9, 'shout', TIMESTAMP WITH TIME ZONE '2026-11-23 09:00:00+00',"
            + " TIMESTAMP WITH TIME ZONE '2027-11-23 11:00:00+00')");
    second.read();
    second.read();
    assertEquals(1, current().size());
    assertEquals(List.of(AnomalyAction.BLOCK), second.actions("alice"));
    String id = query("SELECT id FROM weir.anomalies WHERE user_id = 'carol'").get(0);
    int logged =
        log.containing("anomalies " + id + ", action: must be ALLOW, MONITOR, THROTTLE or BLOCK")
            .size();
    assertEquals(2, logged, "once for requests, once for people");
  }

  @Test
  void monitorTellsAndDoesNothing() {
    nodes(AnomalyAction.MONITOR);
    usual("alice", SIXTEEN);
    requests(first, "alice", 10_000);
    judge();
    assertEquals(AnomalyAction.MONITOR, current().get(0).action());
    assertTrue(first.detection.current().isEmpty());
  }

  @Test
  void aNodeThatMayOnlyMonitorDoesNothingThatAnotherHasFound() {
    Node careful = node(AnomalyAction.MONITOR, false);
    usual("alice", SIXTEEN);
    requests(first, "alice", 10_000);
    judge();
    careful.read();
    assertTrue(careful.detection.current().isEmpty());
    assertEquals(List.of(AnomalyAction.BLOCK), second.actions("alice"));
  }

  @Test
  void offCountsAndJudgesNothing() {
    nodes(AnomalyAction.ALLOW);
    requests(first, "alice", 10_000);
    judge();
    assertEquals(List.of(), query("SELECT user_id FROM weir.usage_minutes"));
    assertEquals(List.of(), query("SELECT user_id FROM weir.user_behaviors"));
  }

  @Test
  void whoInventsKeysMakesNoRows() {
    for (int i = 0; i < 1_000; i++) {
      requests(first, FinishedRequest.OTHERS, 1);
    }
    judge();
    assertEquals(List.of(), query("SELECT user_id FROM weir.usage_minutes"));
    assertEquals(List.of(), query("SELECT user_id FROM weir.user_behaviors"));
  }

  @Test
  void aMinuteOfManyCallersIsJudgedPageByPage() {
    int callers = 4_500;
    for (int i = 0; i < callers; i++) {
      requests(i % 2 == 0 ? first : second, "user" + i, 1);
    }
    judge();
    assertEquals(List.of("4500"), query("SELECT COUNT(*) FROM weir.user_behaviors"));
    requests(first, "user4499", 1);
    judge();
    assertEquals(
        List.of("0:2"),
        query("SELECT histogram FROM weir.user_behaviors WHERE user_id = 'user4499'"));
  }

  @Test
  void nothingPersonalIsLogged() {
    usual("alice", SIXTEEN);
    requests(first, "alice", 1_000);
    judge();
    second.detection.stored().end("alice", POSTS, "bob");
    assertFalse(log.containing("unusual: user sha256:").isEmpty());
    assertEquals(List.of(), log.containing("alice"));
  }

  @Test
  void aBaselineThatCanNotBeReadIsLearnedAnew() {
    usual("alice", "nonsense");
    requests(first, "alice", 16);
    judge();
    assertEquals(List.of("16:1"), query("SELECT histogram FROM weir.user_behaviors"));
  }

  @Test
  void awayTheDatabaseKeepsWhatIsDoneAndEndsItInTime() {
    usual("alice", SIXTEEN);
    requests(first, "alice", 1_000);
    judge();
    isAway = true;
    requests(first, "alice", 1_000);
    first.detection.scoreIfDue();
    ticker.advance(Duration.ofMinutes(2));
    first.detection.scoreIfDue();
    second.read();
    assertEquals(List.of(AnomalyAction.BLOCK), second.actions("alice"));
    assertThrows(RulesUnavailableException.class, () -> second.detection.stored().current());
    isAway = false;
    ticker.advance(Duration.ofMinutes(10));
    second.detection.readIfStale();
    assertTrue(second.detection.current().isEmpty());
    requests(first, "alice", 1_000);
    judge();
    assertEquals(1, current().size(), "and it is looked for again");
  }

  @Test
  void whatNobodyCouldWriteInTimeIsForgotten() {
    usual("alice", SIXTEEN);
    requests(first, "alice", 1_000);
    isAway = true;
    first.write();
    ticker.advance(Duration.ofMinutes(6));
    isAway = false;
    requests(first, "alice", 5);
    first.write();
    assertEquals(List.of("5"), query("SELECT requests FROM weir.usage_minutes"));
  }

  @Test
  void whatIsReadIsReadAgainEveryFiveMinutesThoughNobodyHasTold() {
    usual("alice", SIXTEEN);
    second.read();
    requests(first, "alice", 1_000);
    first.write();
    ticker.advance(Duration.ofMinutes(2));
    first.detection.scoreIfDue();
    second.detection.readIfStale();
    assertTrue(second.detection.current().isEmpty(), "no event was delivered");
    ticker.advance(Duration.ofMinutes(3));
    second.detection.readIfStale();
    assertEquals(List.of(AnomalyAction.BLOCK), second.actions("alice"));
  }

  @Test
  void baselinesOfCallersWhoStayAwayAreDeleted() {
    usual("gone", SIXTEEN);
    usual("alice", SIXTEEN);
    sql(
        "UPDATE weir.user_behaviors SET updated_at = TIMESTAMP WITH TIME ZONE '2026-08-01 00:00:00+00'"
            + " WHERE user_id = 'gone'");
    requests(first, "alice", 16);
    judge();
    assertEquals(List.of("alice"), query("SELECT user_id FROM weir.user_behaviors"));
  }

  @Test
  void withoutTheTableNothingIsLookedForAndThatIsSaidOnce() {
    source = fresh();
    open(source, true);
    sql("DROP TABLE weir.user_behaviors");
    database = open(source, false);
    nodes(AnomalyAction.BLOCK);
    requests(first, "alice", 16);
    judge();
    requests(first, "alice", 16);
    judge();
    assertEquals(1, log.containing("anomalies aren't detected").size());
  }

  @Test
  void notMoreThanAThousandAreRead() {
    assertThrows(IllegalArgumentException.class, () -> first.detection.stored().recent(0));
    assertThrows(IllegalArgumentException.class, () -> first.detection.stored().recent(1_001));
    assertEquals(List.of(), first.detection.stored().recent(1_000));
  }
}
