package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.access.AccessAction;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.rules.bans.BanWriter;
import io.weir.internal.rules.database.PlainSource;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.maintenance.ExpiredRowPurge;
import io.weir.internal.rules.maintenance.RetentionPeriods;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.usage.UserRemoval;
import io.weir.rules.AccessListRow;
import io.weir.rules.history.RuleChange;
import io.weir.rules.history.RuleEvent;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of bans in any database, by nodes that look when they are told to. */
abstract class BansContract {
  /** By the clock of the nodes bans last until then; by that of the database as well. */
  static final Instant LATE = Instant.parse("2099-01-01T00:00:00Z");

  private static final AccessSubject MALLORY =
      AccessSubject.parse("policy:login:ip:203.0.113.7,user:mallory");

  final FakeTicker ticker = new FakeTicker();
  private final List<RulesAssembly> open = new ArrayList<>();
  final List<List<AccessEntry>> followed = new ArrayList<>();
  private final List<String> reads = new ArrayList<>();
  private volatile boolean isAway;

  /** So many queries of bans go well, and then none. */
  private int failsAfter = Integer.MAX_VALUE;

  private DataSource database;
  private RulesAssembly node;
  RulesAssembly other;

  /** The bans that node and other make, written when they are told to. */
  private BanWriter bans;

  BanWriter others;

  /** An empty database of its own. */
  abstract DataSource fresh();

  @BeforeEach
  void start() {
    database = fresh();
    node = node(this::opened);
    node.accessList.followBans(followed::add);
    bans = writer(opened(), node);
    RuleDatabase rows = DatabaseOpener.open(database, true);
    other = node(() -> rows);
    others = writer(rows, other);
  }

  BanWriter writer(RuleDatabase rows, RulesAssembly of) {
    return new BanWriter(
        rows,
        of.accessList::written,
        ticker,
        () -> new VirtualScheduler(new VirtualTime(FakeTicker.START)));
  }

  @AfterEach
  void stop() {
    isAway = false;
    open.forEach(RulesAssembly::close);
  }

  RulesAssembly node(Supplier<RuleDatabase> opener) {
    RulesOptions options =
        new RulesOptions(
            CallerSettings::of,
            Duration.ofSeconds(10),
            1_000,
            Optional.empty(),
            true,
            Duration.ofDays(1),
            UsageOptions.USUAL.on(false),
            RulesOptions.USUAL_ANOMALIES);
    RulesAssembly made = new RulesAssembly(opener, () -> {}, options, ticker);
    open.add(made);
    made.feed.start(true);
    made.bans.look();
    return made;
  }

  /** Opens the database, and notes which of its tables are read. */
  private RuleDatabase opened() {
    PlainSource switched =
        () -> {
          if (isAway) {
            throw new SQLException("away, on purpose", "08001");
          }
          return database.getConnection();
        };
    RuleDatabase opened = DatabaseOpener.open(switched, true);
    return (RuleDatabase)
        Proxy.newProxyInstance(
            RuleDatabase.class.getClassLoader(),
            new Class<?>[] {RuleDatabase.class},
            (proxy, method, arguments) -> {
              if (arguments != null && arguments[0] instanceof RuleTable) {
                reads.add(method.getName());
              }
              if (arguments != null && "bans can't be read".equals(arguments[0])) {
                if (failsAfter == 0) {
                  throw new RulesUnavailableException("away, on purpose", null);
                }
                failsAfter--;
              }
              try {
                return method.invoke(opened, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            });
  }

  void sql(String... statements) {
    TestSql.run(database, statements);
  }

  private long number(String query) {
    return TestSql.number(database, query);
  }

  long rows() {
    return number("SELECT COUNT(*) FROM weir.access_list");
  }

  static AccessEntry ban(AccessSubject subject, Instant end) {
    return AccessEntry.ban(subject, end).withReason("5 strikes by login within PT10M");
  }

  static AccessEntry ban(int caller, Instant end) {
    return ban(AccessSubject.user("user" + caller), end);
  }

  static void write(BanWriter by, AccessEntry... some) {
    for (AccessEntry each : some) {
      by.add(each, "login");
    }
    by.write();
  }

  private List<AccessEntry> inForce() {
    node.feed.refresh();
    return followed.isEmpty() ? List.of() : followed.get(followed.size() - 1);
  }

  private List<RuleChange> history() {
    return node.history.latest(100);
  }

  @Test
  void aBanHoldsOnAllNodesAndIsOneRowThatPeopleCanRead() {
    write(others, ban(MALLORY, LATE).inShadow());
    assertEquals(List.of(ban(MALLORY, LATE).inShadow()), inForce());
    List<AccessListRow> listed =
        node.accessEntries.list(Optional.of(AccessAction.BAN), Long.MAX_VALUE, 10);
    assertEquals(ban(MALLORY, LATE).inShadow(), listed.get(0).entry());
    assertEquals(Optional.of("login"), listed.get(0).policy());
    assertEquals("weir", listed.get(0).updatedBy());
    assertEquals(1, listed.get(0).version());
    assertEquals(listed, node.accessEntries.of(MALLORY));
    assertEquals(List.of(), node.accessList.rows(), "no entry");
    RulesAssembly restarted = node(() -> DatabaseOpener.open(database, true));
    restarted.accessList.followBans(followed::add);
    assertEquals(1, followed.get(followed.size() - 1).size());
  }

  @Test
  void twoNodesThatBanOneCallerAtOnceWriteOneRowWithTheLaterEnd() throws Exception {
    write(bans); // nothing
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 1; round <= 10; round++) {
        Instant end = LATE.plusSeconds(round);
        CyclicBarrier together = new CyclicBarrier(2);
        bans.add(ban(MALLORY, end), "login");
        others.add(ban(MALLORY, LATE), "login");
        List<Future<?>> writes = new ArrayList<>();
        for (BanWriter each : List.of(bans, others)) {
          writes.add(
              threads.submit(
                  () -> {
                    together.await();
                    each.write();
                    return null;
                  }));
        }
        for (Future<?> each : writes) {
          each.get();
        }
        // The first row of weir_duties may be added by one node alone.
        bans.write();
        others.write();
        assertEquals(1, rows());
        assertEquals(List.of(ban(MALLORY, end)), inForce());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void ofSeveralBansOfACallerAnEnforcedOneCountsAndThenTheLatest() {
    AccessSubject mallory = AccessSubject.user("mallory");
    others.add(ban(mallory, LATE).inShadow(), "login");
    others.add(ban(mallory, LATE.plusSeconds(2)).inShadow(), "search");
    others.write();
    assertEquals(List.of(ban(mallory, LATE.plusSeconds(2)).inShadow()), inForce());
    others.add(ban(mallory, LATE), "login");
    others.add(ban(mallory, LATE.minusSeconds(1)), "search");
    others.write();
    assertEquals(4, rows());
    assertEquals(List.of(ban(mallory, LATE)), inForce());
  }

  @Test
  void aBanThatIsLiftedAnywhereIsGoneAtTheNextLookAndOnlyThatIsInTheHistory() {
    write(bans, ban(1, LATE), ban(2, LATE), ban(3, LATE), ban(4, LATE));
    write(bans, ban(1, LATE.plusSeconds(1)));
    assertEquals(4, inForce().size());
    other.feed.refresh();
    assertEquals(List.of(), history(), "made, and made longer");

    AccessListRow first = node.accessEntries.of(AccessSubject.user("user1")).get(0);
    other.accessEntries.delete(first.id(), first.version(), "alice");
    assertEquals(3, inForce().size());
    others.lift(AccessSubject.user("user2"));
    others.write();
    assertEquals(2, inForce().size());
    sql("DELETE FROM weir.access_list WHERE subject = 'user:user3'");
    assertEquals(List.of(ban(4, LATE)), inForce());
    assertEquals(3, history().size());
    assertEquals("weir", history().get(1).by());
    assertEquals("alice", history().get(2).by());
    assertTrue(history().get(2).before().orElseThrow().contains("user1"));

    write(others, ban(1, LATE));
    assertEquals(2, inForce().size(), "banned again");
  }

  @Test
  void aBanThatSomebodyHasChangedHidesNoneThatIsNew() {
    write(others, ban(1, LATE), ban(2, LATE));
    sql("UPDATE weir.access_list SET reason = 'a scraper' WHERE subject = 'user:user2'");
    assertEquals(
        List.of(ban(1, LATE), ban(2, LATE).withReason("a scraper")),
        inForce().stream().sorted(Comparator.comparing(AccessEntry::toString)).toList());
  }

  @Test
  void aRowWithANumberThatNoNodeHasGivenHidesNoBan() {
    write(others, ban(1, LATE));
    assertEquals(List.of(ban(1, LATE)), inForce());
    sql(
        "INSERT INTO weir.access_list (action, subject, valid_until, policy, ban_key, ban_number)"
            + " SELECT 'BAN', 'user:far', valid_until, policy, 'sha256:far', 9223372036854775807"
            + " FROM weir.access_list WHERE subject = 'user:user1'");
    assertEquals(List.of(ban(1, LATE)), inForce());
    write(others, ban(2, LATE));
    assertEquals(List.of(ban(1, LATE), ban(2, LATE)), inForce());
    assertEquals(1, node.feed.problems().size());
    assertEquals("ban_number", node.feed.problems().get(0).field());
  }

  /** Somebody may take the duties for locks that are left over. */
  @Test
  void bansAreReadThoughSomebodyHasEmptiedTheDuties() {
    write(others, ban(1, LATE), ban(2, LATE));
    assertEquals(2, inForce().size());
    sql("DELETE FROM weir.access_list", "DELETE FROM weir.weir_duties");
    ticker.advance(Duration.ofSeconds(1));
    assertEquals(0, inForce().size());
    write(others, ban(3, LATE));
    assertEquals(List.of(ban(3, LATE)), inForce());
  }

  @Test
  void whatWasLiftedBeforeALookThatFailedIsGoneAfterTheNext() {
    write(bans, ban(1, LATE), ban(2, LATE));
    assertEquals(2, inForce().size());
    sql("DELETE FROM weir.access_list WHERE subject = 'user:user1'");
    failsAfter = 1;
    assertThrows(RulesUnavailableException.class, node.feed::refresh);
    failsAfter = Integer.MAX_VALUE;
    assertEquals(List.of(ban(2, LATE)), inForce());
  }

  @Test
  void aBanThatWaitsIsLiftedAsWellAndOneAfterItIsNot() {
    bans.lift(AccessSubject.user("user1"));
    write(bans, ban(1, LATE));
    assertEquals(1, rows());
    isAway = true;
    bans.add(ban(2, LATE), "login");
    bans.lift(AccessSubject.user("user2"));
    bans.lift(AccessSubject.user("user1"));
    bans.write();
    isAway = false;
    bans.write();
    assertEquals(0, rows());
  }

  /** The node keeps its own ban until a list of the database has had it. */
  @Test
  void whoIsLiftedBeforeTheNodeHasReadItsOwnBanIsLiftedThereToo() {
    write(bans, ban(1, LATE), ban(2, LATE));
    others.lift(AccessSubject.user("user1"));
    others.write();
    followed.clear();
    node.feed.refresh();
    assertEquals(2, followed.get(0).size(), followed::toString);
    assertEquals(List.of(ban(2, LATE)), followed.get(1));
    node.feed.refresh();
    assertEquals(2, followed.size(), "nothing has changed");
  }

  @Test
  void aPolicyHasAtMostTenThousandRowsWrittenInBatches() {
    List<RuleEvent> events = new ArrayList<>();
    var unused = node.events.listen(events::add);
    Instant soon = ticker.instant().plusSeconds(60);
    for (int i = 0; i < 20_000; i++) {
      others.add(ban(i, i < 10 ? soon : LATE), "login");
    }
    for (long batch = 1; batch <= 10; batch++) {
      others.write();
      assertEquals(batch * 1_000, rows());
    }
    write(others, ban(20_000, LATE), ban(20_001, LATE));
    assertEquals(10_000, rows());
    assertEquals(10_000, inForce().size());
    assertEquals(1, events.size(), "however many there are");
    assertEquals(10_000, ((RuleEvent.Banned) events.get(0)).bans().size());

    others.add(ban(30_000, LATE), "search");
    write(others, ban(30_000, LATE), ban(20, LATE.plusSeconds(1)));
    assertEquals(10_001, inForce().size(), "another policy has room");
    ticker.advance(Duration.ofMinutes(2));
    assertEquals(9_991, inForce().size());
    for (int i = 0; i < 20; i++) {
      others.add(ban(40_000 + i, LATE), "login");
    }
    others.write();
    assertEquals(10_001, inForce().size(), "those that have ended make room for others");
    assertEquals(10_001, rows());
    assertEquals(List.of(), history());
  }

  @Test
  void aSmallerBoundHolds() {
    BanWriter.most("").ifPresent(bans::mostOfPolicy);
    BanWriter.most("many").ifPresent(bans::mostOfPolicy);
    BanWriter.most(" 3 ").ifPresent(bans::mostOfPolicy);
    for (int i = 0; i < 5; i++) {
      write(bans, ban(i, LATE));
    }
    assertEquals(3, rows());
  }

  /** As the node that waits for its lock sees it, whether the other one dies or not. */
  @Test
  void aNodeThatDiesWithABatchLeavesNothing() throws SQLException {
    write(bans, ban(1, LATE));
    others.add(ban(2, LATE), "login"); // and dies before its batch, if it is fast
    try (Connection dying = database.getConnection();
        Statement statement = dying.createStatement()) {
      dying.setAutoCommit(false);
      statement.execute("UPDATE weir.weir_duties SET number = number + 1 WHERE name = 'bans'");
      statement.execute(
          "INSERT INTO weir.access_list (action, subject, valid_until, policy, ban_key, ban_number)"
              + " SELECT 'BAN', 'user:user3', valid_until, policy, 'sha256:3', ban_number + 1"
              + " FROM weir.access_list WHERE subject = 'user:user1'");
      dying.rollback();
    }
    write(bans, ban(3, LATE));
    assertTrue(inForce().contains(ban(3, LATE)));
    assertTrue(inForce().contains(ban(1, LATE)));
    assertEquals(1, number("SELECT COUNT(*) FROM weir.access_list WHERE subject = 'user:user3'"));
  }

  @Test
  void whileTheDatabaseIsAwayBansWaitAsFarAsThereIsRoom() {
    isAway = true;
    bans.mostOfPolicy(1_500);
    Instant soon = ticker.instant().plusSeconds(60);
    for (int i = 0; i < 5_000; i++) {
      bans.add(ban(i, i % 2 == 0 ? LATE : soon), "login");
    }
    write(bans, ban(0, LATE.plusSeconds(1)));
    assertThrows(RuntimeException.class, node.feed::refresh);
    ticker.advance(Duration.ofMinutes(2));
    isAway = false;
    for (int batch = 0; batch < 3; batch++) {
      bans.write();
    }
    int left = inForce().size();
    assertEquals(left, rows());
    assertEquals(750, left, "of the first 1,500, those that haven't ended");
    assertTrue(inForce().stream().allMatch(each -> each.end().orElseThrow().isAfter(soon)));
    assertTrue(inForce().contains(ban(0, LATE.plusSeconds(1))), "the later end");
  }

  @Test
  void bansGoSoonAfterTheirEndWithoutAWordInTheHistory() {
    sql(
        "INSERT INTO weir.access_list (action, subject, valid_until) VALUES ('DENY', 'user:ann',"
            + " TIMESTAMP WITH TIME ZONE '2026-01-01 00:00:30+00')");
    long changes = history().size();
    write(bans, ban(1, ticker.instant().plusSeconds(60)), ban(2, LATE));
    assertEquals(2, inForce().size());
    ticker.advance(Duration.ofSeconds(90));
    assertEquals(List.of(ban(2, LATE)), inForce());
    ExpiredRowPurge purge =
        new ExpiredRowPurge(
            DatabaseOpener.open(database, true), () -> true, RetentionPeriods.USUAL, ticker);
    purge.purge();
    assertEquals(3, rows(), "clocks differ");
    ticker.advance(Duration.ofSeconds(40));
    purge.purge();
    assertEquals(2, rows(), "the entry stays for longer");
    assertEquals(List.of(ban(2, LATE)), inForce());
    assertEquals(changes, history().size());
  }

  @Test
  void undoAndYamlLeaveBansAlone() {
    write(bans, ban(1, LATE), ban(2, LATE));
    sql(
        "UPDATE weir.access_list SET valid_until = TIMESTAMP WITH TIME ZONE '2098-01-01 00:00:00+00'"
            + " WHERE subject = 'user:user1'");
    assertEquals(Instant.parse("2098-01-01T00:00:00Z"), inForce().get(0).end().orElseThrow());
    sql("DELETE FROM weir.access_list WHERE subject = 'user:user1'");
    assertEquals(2, history().size());
    assertThrows(
        InvalidRuleException.class, () -> node.history.restore(history().get(1).number(), "alice"));
    node.history.restore(history().get(0).number(), "alice"); // it is gone
    assertEquals(List.of(ban(2, LATE)), inForce());
    String yaml = node.yaml.export();
    assertFalse(yaml.contains("user2"), yaml);
    var unused = node.yaml.apply(yaml, "alice");
    assertEquals(List.of(ban(2, LATE)), inForce());
  }

  @Test
  void bansReloadNeitherRulesNorEntries() {
    sql("INSERT INTO weir.access_list (action, subject) VALUES ('DENY', 'user:ann')");
    assertEquals(List.of(), inForce());
    Rulebook rulebook = node.current.get();
    List<AccessListRow> entries = node.accessList.rows();
    reads.clear();
    write(others, ban(1, LATE), ban(2, LATE));
    assertEquals(2, inForce().size());
    assertEquals(List.of(), reads, "no table");
    assertSame(rulebook, node.current.get());
    assertSame(entries, node.accessList.rows());
    ticker.advance(Duration.ofMinutes(6)); // all is read again
    assertEquals(2, inForce().size());
    assertSame(rulebook, node.current.get());
    assertEquals(entries, node.accessList.rows());
    ticker.advance(Duration.ofSeconds(31)); // contents are compared
    write(others, ban(3, LATE));
    assertEquals(3, inForce().size());
    assertEquals(List.of(), node.feed.problems(), "nothing was missed");
  }

  @Test
  void peopleMakeNoBansAndChangeNone() {
    sql(
        "INSERT INTO weir.access_list (action, subject, valid_until) VALUES ('BAN', 'user:ann',"
            + " TIMESTAMP WITH TIME ZONE '2099-01-01 00:00:00+00')");
    assertEquals(List.of(), inForce());
    assertEquals(1, node.feed.problems().size());
    assertThrows(
        InvalidRuleException.class,
        () -> node.accessEntries.save(AccessListRow.of(ban(1, LATE)), "alice"));
    write(bans, ban(1, LATE));
    assertEquals(List.of(ban(1, LATE)), inForce());
    AccessListRow row = node.accessEntries.of(AccessSubject.user("user1")).get(0);
    AccessEntry deny = AccessEntry.deny(AccessSubject.user("user1"));
    assertThrows(
        InvalidRuleException.class, () -> node.accessEntries.save(row.with(deny), "alice"));
    AccessListRow disguised =
        new AccessListRow(
            row.id(), deny, Optional.empty(), row.version(), row.createdAt(), row.updatedBy());
    assertThrows(ConflictException.class, () -> node.accessEntries.save(disguised, "alice"));
    sql("UPDATE weir.access_list SET subject = 'nobody' WHERE subject = 'user:user1'");
    assertEquals(List.of(ban(1, LATE)), inForce(), "as it was");
    assertEquals(2, node.feed.problems().stream().filter(problem -> !problem.isWarning()).count());
  }

  @Test
  void bansThatAreMadeAndLiftedAreEvents() {
    List<RuleEvent> events = new ArrayList<>();
    var unused = node.events.listen(events::add);
    write(others, ban(1, LATE), ban(2, LATE));
    node.feed.refresh();
    write(others, ban(1, LATE.plusSeconds(1)), ban(2, LATE.minusSeconds(1)));
    others.lift(AccessSubject.user("user2"));
    others.write();
    node.feed.refresh();
    node.feed.refresh();
    assertEquals(
        List.of(
            new RuleEvent.Banned(List.of(ban(1, LATE), ban(2, LATE))),
            new RuleEvent.Banned(List.of(ban(1, LATE.plusSeconds(1))))),
        events.stream().filter(RuleEvent.Banned.class::isInstance).toList());
    RuleChange lifted =
        events.stream()
            .filter(RuleEvent.Changed.class::isInstance)
            .map(event -> ((RuleEvent.Changed) event).change())
            .findFirst()
            .orElseThrow();
    assertTrue(lifted.before().orElseThrow().contains("user2"), lifted::toString);
    assertEquals(3, events.size());
  }

  @Test
  void aUserWhoIsForgottenLeavesNoBanAndNoHistoryOfOne() {
    for (String subject :
        List.of(
            "user:ann",
            "policy:login:user:ann",
            "policy:login:ip:203.0.113.7,user:ann",
            "policy:login:user:ann,ip:203.0.113.7",
            "policy:login:user:anna")) {
      bans.add(ban(AccessSubject.parse(subject), LATE), "login");
      bans.add(ban(AccessSubject.parse(subject), LATE), "search");
    }
    bans.write();
    sql("DELETE FROM weir.access_list WHERE policy = 'search'");
    UserRemoval removal = new UserRemoval(DatabaseOpener.open(database, true));
    removal.forget("ann");
    removal.finish(Duration.ofMinutes(-1));
    assertEquals(
        List.of("policy:login:user:anna"),
        inForce().stream().map(each -> each.subject().toString()).toList());
    List<RuleChange> left =
        history().stream().filter(change -> change.table().equals("access_list")).toList();
    assertEquals(1, left.size(), left::toString);
    assertTrue(left.get(0).before().orElseThrow().contains("user:anna"));
  }

  @Test
  void withoutTheColumnsOfBansThereAreNoneAndEntriesHold() {
    sql(
        "DROP INDEX weir.access_list_ban_number",
        "ALTER TABLE weir.access_list DROP COLUMN ban_number",
        "DROP TABLE weir.weir_schema_history",
        "INSERT INTO weir.access_list (action, subject) VALUES ('DENY', 'user:ann')");
    RulesAssembly older = node(() -> DatabaseOpener.open(database, false));
    assertFalse(new DatabaseAccessList(older.accessList, older.bans).keepsBans());
    write(older.bans, ban(1, LATE));
    assertEquals(1, rows());
    assertEquals(1, older.accessList.rows().size());
    assertEquals(List.of(), older.feed.problems().stream().map(RuleProblem::message).toList());
  }

  @Test
  void whatWaitsIsWrittenAtTheEndAndNothingAfterIt() {
    DatabaseAccessList list = new DatabaseAccessList(node.accessList, node.bans);
    assertTrue(list.keepsBans());
    for (int i = 0; i < 100; i++) {
      list.ban(ban(i, LATE), "login");
    }
    node.bans.close();
    assertEquals(100, rows());
    list.ban(ban(100, LATE), "login");
    list.lift(AccessSubject.user("user1"));
    node.bans.write();
    assertEquals(100, rows());
  }
}
