package io.weir.internal.rules.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.annotation.Mode;
import io.weir.internal.rules.database.DatabaseClock;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.outcomes.OutcomeCounters;
import io.weir.rules.NodeStatus;
import io.weir.rules.outcome.CurrentOutcomes;
import io.weir.rules.outcome.OutcomeRates;
import io.weir.rules.outcome.PolicyRates;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What nodes report, one report at a time, in every database alike. */
abstract class NodeReportsContract {
  private static final Duration FIVE = Duration.ofSeconds(5);

  private final FakeTicker ticker = new FakeTicker();
  private final List<AutoCloseable> open = new ArrayList<>();
  private DataSource source;
  private RuleDatabase database;

  abstract DataSource fresh();

  /** Connects as a role that may read all tables and write none. */
  abstract DataSource reader(DataSource owner);

  /** Lets that role write what nodes report. */
  abstract void permit(DataSource owner);

  @BeforeEach
  void start() {
    source = fresh();
    database = DatabaseOpener.open(source, true);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /** A node whose reports the test makes. */
  final class Node {
    final OutcomeCounters counters = new OutcomeCounters();
    final DatabaseClock clock = new DatabaseClock(ticker);
    final OwnNode own = new OwnNode();
    final NodeReader nodes;
    final StoredOutcomes outcomes;
    final NodeReporter reporter;
    final AtomicLong rulesVersion = new AtomicLong();

    Node(String name) {
      this(name, database, Ticker.system());
    }

    Node(String name, RuleDatabase database, Ticker time) {
      this(name, database, time, Optional.empty());
    }

    Node(String name, RuleDatabase database, Ticker time, Optional<String> application) {
      this.nodes = new NodeReader(database, clock, own);
      this.outcomes = new StoredOutcomes(database, nodes, () -> false);
      NodeFacts facts =
          new NodeFacts(name, application, time, () -> false, () -> 7, rulesVersion::get);
      this.reporter =
          new NodeReporter(database, counters, clock, own, facts, outcomes::publish, ticker);
      open.add(reporter);
    }

    RateLimiter limiter() {
      RateLimiter limiter = RateLimiter.builder().metrics(counters).build();
      open.add(limiter);
      return limiter;
    }

    void decide(Policy policy, int number) {
      RateLimiter limiter = limiter();
      for (int i = 0; i < number; i++) {
        var unused = limiter.tryAcquire(policy, Key.of("ann"));
      }
    }

    void report() {
      ticker.advance(FIVE);
      reporter.report();
    }

    NodeStatus status(String name) {
      return nodes.current().stream()
          .filter(each -> each.node().equals(name))
          .findFirst()
          .orElseThrow();
    }

    List<String> names() {
      return nodes.current().stream().map(NodeStatus::node).toList();
    }
  }

  private Node started(String name) {
    Node node = new Node(name);
    node.reporter.report();
    return node;
  }

  private static PolicyBuilder policy(String name, long limit) {
    return Policy.builder(name).limit(limit).window(Duration.ofHours(1));
  }

  private void sql(String... statements) {
    TestSql.run(source, statements);
  }

  private List<String> texts(String sql) {
    return TestSql.texts(source, sql);
  }

  /** Lets the report of a node grow older. */
  private void age(String node, int seconds) {
    sql(
        "UPDATE weir.weir_nodes SET seen_at = seen_at - INTERVAL '"
            + seconds
            + "' SECOND WHERE node = '"
            + node
            + "'");
  }

  private static PolicyRates rates(String policy, double... rates) {
    return new PolicyRates(
        policy, new OutcomeRates(rates[0], rates[1], rates[2], rates[3], rates[4]));
  }

  @Test
  void ratesAreSumsOfWhatEachNodeDecidedBetweenItsLastTwoReports() {
    Node one = started("one");
    Node two = started("two");
    one.decide(policy("search", 5).build(), 15); // 5 admitted, 10 refused
    two.decide(policy("search", 20).build(), 20);
    two.decide(policy("tried", 5).shadow(true).build(), 10);
    two.decide(policy("lenient", 10).mode(Mode.SOFT).exceedBy(50).build(), 15);
    one.report();
    ticker.advance(FIVE); // two reports twice as late
    two.report();

    CurrentOutcomes now = one.outcomes.current();
    assertEquals(2, now.nodes());
    assertEquals(0, now.silentNodes());
    assertTrue(now.isComplete(), () -> now.note().orElse(""));
    assertEquals(Optional.empty(), now.note());
    // Two has an interval of 15 s, since it began when one did.
    assertEquals(
        List.of(
            rates("search", 1 + 20 / 15.0, 2, 0, 0, 0),
            rates("lenient", 10 / 15.0, 0, 5 / 15.0, 0, 0),
            rates("tried", 5 / 15.0, 0, 0, 5 / 15.0, 0)),
        now.policies());
    assertEquals(1 + 35 / 15.0, now.totals().admitted(), 1e-9);
    assertEquals(2, now.totals().refused(), 1e-9);
    assertEquals(5 / 15.0, now.totals().soft(), 1e-9);
    assertEquals(5 / 15.0, now.totals().shadowRefused(), 1e-9);

    one.report();
    assertEquals(
        List.of(rates("search", 20 / 15.0, 0, 0, 0, 0)),
        two.outcomes.current().policies().subList(0, 1),
        "one has done nothing since");
    NodeStatus status = two.status("one");
    assertEquals(5, status.admitted());
    assertEquals(10, status.refused());
    assertEquals(7, status.dropped());
    assertEquals("closed", status.breaker());
    assertTrue(status.mayWrite());
  }

  @Test
  void aNodeThatHasJustStartedHasNoRatesButIsThere() {
    Node one = new Node("one");
    one.decide(policy("search", 5).build(), 3);
    one.reporter.report();
    CurrentOutcomes now = one.outcomes.current();
    assertEquals(1, now.nodes());
    assertEquals(List.of(), now.policies());
    assertEquals(OutcomeRates.NONE, now.totals());
    one.report();
    assertEquals(List.of(rates("search", 0.6, 0, 0, 0, 0)), one.outcomes.current().policies());
  }

  @Test
  void totalsBeginAnewWithARestartAndRatesAreNeverNegative() {
    Node killed = started("one");
    killed.decide(policy("search", 100).build(), 50);
    killed.report();
    assertEquals(50, killed.status("one").admitted());

    Node again = new Node("one"); // without the end of the other
    again.reporter.report();
    assertEquals(List.of("one"), again.names());
    assertEquals(0, again.status("one").admitted());
    assertEquals(OutcomeRates.NONE, again.outcomes.current().totals());
    again.decide(policy("search", 100).build(), 10);
    again.report();
    assertEquals(2, again.outcomes.current().totals().admitted(), 1e-9);
    assertEquals(1, again.outcomes.current().nodes());
  }

  /** Returns the machine's time, set wrong. */
  private static Ticker wrongBy(Duration offset) {
    return new Ticker() {
      @Override
      public long nanoTime() {
        return Ticker.system().nanoTime();
      }

      @Override
      public long epochMicros() {
        return Ticker.system().epochMicros() + offset.toNanos() / 1_000;
      }
    };
  }

  @Test
  void wrongClocksAreReportedAndChangeNothingElse() {
    Duration hour = Duration.ofHours(1);
    Node ahead = new Node("ahead", database, wrongBy(hour));
    Node behind = new Node("behind", database, wrongBy(hour.negated()));
    for (Node each : List.of(ahead, behind)) {
      each.reporter.report();
      each.decide(policy("search", 100).build(), 10);
    }
    ticker.advance(FIVE);
    ahead.reporter.report();
    behind.reporter.report();
    CurrentOutcomes now = ahead.outcomes.current();
    assertEquals(2, now.nodes());
    assertEquals(0, now.silentNodes());
    assertEquals(4, now.totals().admitted(), 1e-9);
    assertOffset(hour, behind.status("ahead"));
    assertOffset(hour.negated(), ahead.status("behind"));
    Duration offBy = Duration.between(ahead.clock.now(), Instant.now()).abs();
    assertTrue(offBy.compareTo(Duration.ofMinutes(5)) < 0, "it is the database's");
    assertTrue(now.oldest().compareTo(Duration.ofMinutes(5)) < 0);
  }

  /** A slow machine may make it look off by some seconds. */
  private static void assertOffset(Duration expected, NodeStatus status) {
    Duration off = status.clockOffset().orElseThrow().minus(expected).abs();
    assertTrue(off.compareTo(Duration.ofMinutes(1)) < 0, status::toString);
  }

  @Test
  void aNodeThatDiesIsSilentAfterFifteenSecondsAndGoneAfterAMinute() {
    Node one = started("one");
    Node dead = started("dead");
    dead.decide(policy("search", 100).build(), 10);
    dead.report();
    one.report();
    assertEquals(2, one.outcomes.current().totals().admitted(), 1e-9);
    age("dead", 16);
    CurrentOutcomes silent = one.outcomes.current();
    assertEquals(1, silent.nodes());
    assertEquals(1, silent.silentNodes());
    assertEquals(OutcomeRates.NONE, silent.totals());
    assertEquals(List.of("dead", "one"), one.names());
    age("dead", 45);
    assertEquals(0, one.outcomes.current().silentNodes());
    assertEquals(List.of("one"), one.names());
  }

  @Test
  void theAgeOfTheOldestReportInTheSumsIsTold() {
    Node one = started("one");
    started("two");
    age("two", 8);
    Duration oldest = one.outcomes.current().oldest();
    assertTrue(oldest.compareTo(Duration.ofSeconds(8)) >= 0, oldest::toString);
    assertTrue(oldest.compareTo(OutcomeSummary.SILENT) <= 0, oldest::toString);
  }

  @Test
  void closingRemovesTheNode() {
    Node one = started("one");
    Node two = started("two");
    two.reporter.close();
    two.reporter.close();
    assertEquals(List.of("one"), one.names());
  }

  @Test
  void twoNodesOfOneNameAreTwoNodes() {
    Node first = started("same");
    Node second = started("same");
    try (LogLines log = new LogLines()) {
      first.report(); // finds its row taken
      assertEquals(
          1, log.containing("set weir.node to a unique name").size(), () -> log.lines().toString());
      first.report();
      second.report();
      assertEquals(1, log.warnings().size());
    }
    List<String> names = second.names();
    assertEquals(2, names.size(), names::toString);
    assertEquals("same", names.get(0));
    assertTrue(names.get(1).matches("same-[0-9a-f]{6}"), names::toString);
    first.reporter.close();
    assertEquals(List.of("same"), second.names(), "each removes its own row");
  }

  @Test
  void anInstanceThatEndsLateLeavesTheRowOfItsSuccessor() {
    Node old = started("one");
    Node successor = started("one");
    old.reporter.close();
    assertEquals(List.of("one"), successor.names());
  }

  @Test
  void withoutANameItIsTheHostAndARandomPart() {
    Node one = started("");
    Node two = started("");
    assertEquals(2, one.names().size());
    assertTrue(one.names().get(0).matches("(?s).+-[0-9a-f]{6}"), () -> one.names().toString());
    assertTrue(two.names().get(1).matches("(?s).+-[0-9a-f]{6}"));
  }

  @Test
  void namesThatCantBeANodesAreRefused() {
    String longest = "x".repeat(NodeName.MAX_CHARACTERS);
    assertEquals(List.of(longest), started(longest).names());
    IllegalArgumentException tooLong =
        assertThrows(IllegalArgumentException.class, () -> new Node(longest + "x"));
    assertTrue(tooLong.getMessage().startsWith("weir.node must have at most 90 characters"));
    assertThrows(IllegalArgumentException.class, () -> new Node("a\u0000b"));
  }

  @Test
  void aRoleThatMayNotWriteIsToldOnceAndByItsOwnApi() {
    Node other = started("other");
    other.decide(policy("search", 100).build(), 10);
    other.report();
    RuleDatabase reading = DatabaseOpener.open(reader(source), false);
    Node node = new Node("reader", reading, Ticker.system());
    try (LogLines log = new LogLines()) {
      node.reporter.report();
      node.decide(policy("search", 100).build(), 20);
      node.report();
      node.report();
      node.decide(policy("search", 100).build(), 5);
      node.report();
      List<String> told = log.containing("may not write weir_nodes");
      assertEquals(1, told.size(), () -> log.lines().toString());
      assertTrue(told.get(0).contains("GRANT SELECT, INSERT, UPDATE, DELETE ON weir.weir_nodes"));

      assertEquals(List.of("other", "reader"), node.names());
      NodeStatus status = node.status("reader");
      assertFalse(status.mayWrite());
      assertTrue(status.note().orElseThrow().contains("may not write weir_nodes"));
      assertEquals(25, status.admitted());
      assertTrue(node.status("other").mayWrite());
      CurrentOutcomes now = node.outcomes.current();
      assertEquals(2, now.nodes());
      assertFalse(now.isComplete());
      assertTrue(now.note().orElseThrow().contains("may not write weir_nodes"));
      assertEquals(3, now.totals().admitted(), 1e-9, "its own are in its own sums");

      assertEquals(List.of("other"), other.names());
      assertEquals(2, other.outcomes.current().totals().admitted(), 1e-9);

      permit(source);
      node.report();
      assertEquals(1, log.containing("is written again").size());
    }
    assertTrue(node.status("reader").mayWrite());
    assertEquals(Optional.empty(), node.outcomes.current().note());
    assertEquals(List.of("other", "reader"), other.names());
  }

  @Test
  void nodesOfAnotherApplicationInTheSchemaAreTold() {
    try (LogLines log = new LogLines()) {
      Node orders = of("one", "orders");
      of("two", "orders").report();
      started("nameless");
      assertEquals(List.of(), log.containing("use the same schema"));
      of("three", "billing\u2028");
      List<String> told = log.containing("the applications billing and orders use the same schema");
      assertEquals(1, told.size(), () -> log.lines().toString());
      assertTrue(told.get(0).contains("weir.rules.application"));
      orders.report();
      assertEquals(1, log.containing("use the same schema").size(), "once for each node");
    }
    sql("UPDATE weir.weir_nodes SET seen_at = seen_at - INTERVAL '61' SECOND");
    try (LogLines log = new LogLines()) {
      of("four", "mail");
      assertEquals(List.of(), log.containing("use the same schema"), "no other is alive");
    }
  }

  private Node of(String name, String application) {
    Node node = new Node(name, database, Ticker.system(), NodeName.ofApplication(application));
    node.reporter.report();
    return node;
  }

  @Test
  void anApplicationsNameIsOneLine() {
    assertEquals(Optional.empty(), NodeName.ofApplication(null));
    assertEquals(Optional.empty(), NodeName.ofApplication(" \n"));
    assertEquals(Optional.empty(), NodeName.ofApplication("half \ud800"));
    assertEquals(Optional.of("a\ufffdb"), NodeName.ofApplication(" a\nb "));
    String longest = "x".repeat(99);
    assertEquals(Optional.of(longest), NodeName.ofApplication(longest + "\ud83d\ude00"));
  }

  @Test
  void aDatabaseWithoutTheTableIsTold() {
    sql("DROP TABLE weir.weir_nodes");
    Node node = new Node("one", DatabaseOpener.open(source, false), Ticker.system());
    try (LogLines log = new LogLines()) {
      node.reporter.report();
      node.report();
      assertEquals(1, log.containing("The database lacks weir_nodes").size());
    }
    assertFalse(node.status("one").mayWrite());
    assertFalse(node.outcomes.current().isComplete());
    assertEquals(1, node.outcomes.current().nodes());
    DatabaseOpener.open(source, true);
    node.report();
    assertTrue(node.status("one").mayWrite());
    assertTrue(node.outcomes.current().isComplete());
  }

  @Test
  void aRowOfAnOlderVersionOrOfSomebodyElseIsLeftOutAndSaidSo() {
    Node one = started("one");
    sql(
        "INSERT INTO weir.weir_nodes (node, started_at, seen_at, admitted, refused, degraded, dropped,"
            + " breaker) VALUES ('older', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 1, 2, 3, 4,"
            + " 'closed')",
        "INSERT INTO weir.weir_nodes (node, started_at, seen_at, admitted, refused, degraded, dropped,"
            + " breaker, interval_millis, outcomes) VALUES ('odd', CURRENT_TIMESTAMP,"
            + " CURRENT_TIMESTAMP, 1, 2, 3, 4, 'closed', 5000, '=5 search=-5')");
    CurrentOutcomes now = one.outcomes.current();
    assertEquals(3, now.nodes());
    assertFalse(now.isComplete());
    assertTrue(now.note().orElseThrow().startsWith("2 nodes are of an older version"));
    assertEquals(OutcomeRates.NONE, now.totals());
    assertEquals(2, one.status("older").refused());
    assertEquals(Optional.empty(), one.status("older").version());
  }

  /**
   * A version is taken back after the newer one was killed: its row isn't written anew as a whole.
   */
  @Test
  void theDecisionsOfAKilledNodeArentThoseOfAnOlderVersionThatTakesItsName() {
    Node one = started("one");
    one.decide(policy("search", 100).build(), 50);
    one.report();
    assertEquals(10, one.outcomes.current().totals().admitted(), 0.1);
    assertTrue(one.outcomes.current().isComplete());
    sql(
        "UPDATE weir.weir_nodes SET started_at = started_at + INTERVAL '1' SECOND, seen_at ="
            + " CURRENT_TIMESTAMP, admitted = 1, refused = 2, degraded = 3, dropped = 4, breaker ="
            + " 'closed', store_micros = NULL WHERE node = 'one'");
    CurrentOutcomes now = one.outcomes.current();
    assertEquals(OutcomeRates.NONE, now.totals());
    assertEquals(List.of(), now.policies());
    assertFalse(now.isComplete());
    assertTrue(now.note().orElseThrow().startsWith("1 node is of an older version"));
    assertEquals(1, one.status("one").admitted());
    assertEquals(Optional.empty(), one.status("one").version());
    assertEquals(Optional.empty(), one.status("one").clockOffset());
    assertEquals(0, one.status("one").rulesVersion());
  }

  @Test
  void ofTooManyPoliciesTheBusiestAreReportedAndTheTotalsHaveAll() {
    Node one = started("one");
    RateLimiter limiter = one.limiter();
    int number = 1_500;
    for (int i = 0; i < number; i++) {
      Policy policy = policy("a.rather.long.name.of.a.policy." + (10_000 + i), 100).build();
      var unused = limiter.tryAcquire(policy, Key.of("ann"));
    }
    Policy busy = policy("z", 100).build();
    for (int i = 0; i < 5; i++) {
      var unused = limiter.tryAcquire(busy, Key.of("ann"));
    }
    one.report();
    String text = texts("SELECT outcomes FROM weir.weir_nodes").get(0);
    assertTrue(text.length() <= 32_768, () -> "" + text.length());
    CurrentOutcomes now = one.outcomes.current();
    assertEquals("z", now.policies().get(0).policy());
    int missing = number + 1 - now.policies().size();
    assertTrue(missing > 0);
    assertFalse(now.isComplete());
    assertTrue(now.note().orElseThrow().contains(missing + " in all"), now.note()::toString);
    assertEquals((number + 5) / 5.0, now.totals().admitted(), 1e-9);
  }

  /** Fails every call. */
  private static final class AwayStore implements PermitStore {
    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return CompletableFuture.failedFuture(new IllegalStateException("away, on purpose"));
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @Test
  void whatIsDecidedWithoutTheStoreIsDegraded() {
    Node one = started("one");
    try (LogLines quiet = new LogLines();
        RateLimiter limiter =
            RateLimiter.builder().store(new AwayStore()).metrics(one.counters).build()) {
      for (int i = 0; i < 10; i++) {
        var unused = limiter.tryAcquire(policy("search", 5).build(), Key.of("ann"));
      }
    }
    one.report();
    assertEquals(
        List.of(rates("search", 1, 1, 0, 0, 2)), one.outcomes.current().policies(), "LOCAL");
    assertEquals(10, one.status("one").degraded());
  }

  @Test
  void theVersionOfTheRulesAndTheExchangesAreReported() {
    Node one = started("one");
    one.rulesVersion.set(42);
    one.counters.storeExecuted(30, 3_000_000);
    one.counters.storeExecuted(20, 1_000_000);
    one.report();
    NodeStatus status = one.status("one");
    assertEquals(42, status.rulesVersion());
    assertEquals(10, status.exchangesPerSecond(), 1e-9);
    assertEquals(Optional.of(Duration.ofMillis(2)), status.storeLatency());
    one.report();
    assertEquals(0, one.status("one").exchangesPerSecond(), 1e-9);
    assertEquals(Optional.empty(), one.status("one").storeLatency());
  }

  @Test
  void listenersHearEachReportOnceAndNoMoreWhenTheyHaveEnded() throws Exception {
    Node one = started("one");
    List<CurrentOutcomes> first = new ArrayList<>();
    List<CurrentOutcomes> second = new ArrayList<>();
    AutoCloseable firstEnds = one.outcomes.listen(first::add);
    AutoCloseable secondEnds = one.outcomes.listen(second::add);
    one.decide(policy("search", 100).build(), 10);
    one.report();
    assertEquals(2, first.get(0).totals().admitted(), 1e-9);
    assertSame(first.get(0), second.get(0), "summed up once");
    firstEnds.close();
    one.report();
    assertEquals(1, first.size());
    assertEquals(2, second.size());
    secondEnds.close();
    one.report();
    assertEquals(2, second.size());
  }

  @Test
  void aListenerThatFailsDisturbsNobody() {
    Node one = started("one");
    List<CurrentOutcomes> heard = new ArrayList<>();
    AutoCloseable unused =
        one.outcomes.listen(
            now -> {
              throw new IllegalStateException("on purpose");
            });
    open.add(one.outcomes.listen(heard::add));
    try (LogLines log = new LogLines()) {
      one.report();
      one.report();
      assertEquals(2, log.errors().size());
    }
    assertEquals(2, heard.size());
    assertTrue(one.status("one").mayWrite());
  }

  @Test
  void rowsOfNodesThatDiedAreDeletedAfterADay() {
    started("dead");
    age("dead", 86_401);
    started("one");
    assertEquals(List.of("one"), texts("SELECT node FROM weir.weir_nodes"));
  }
}
