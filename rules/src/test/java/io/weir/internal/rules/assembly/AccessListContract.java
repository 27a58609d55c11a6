package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.access.AccessAction;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.internal.rules.usage.UserRemoval;
import io.weir.rules.AccessListRow;
import io.weir.rules.history.RuleChange;
import io.weir.rules.history.RuleEvent;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the access list on any database, by nodes that look when they are told to. */
abstract class AccessListContract {
  private static final AccessEntry SCRAPER =
      AccessEntry.parse("deny ip:203.0.113.0/24 reason=scraper");
  private static final AccessEntry PARTNER = AccessEntry.parse("allow user:ann counted");

  @TempDir Path directory;

  private final FakeTicker ticker = new FakeTicker();
  private final List<RulesAssembly> open = new ArrayList<>();
  private final List<String> reads = new ArrayList<>();
  private List<AccessEntry> followed = List.of();
  private DataSource database;
  private RulesAssembly node;

  /** An empty database of its own. */
  abstract DataSource fresh();

  @BeforeEach
  void start() {
    database = fresh();
    node = node(Optional.empty(), this::opened);
    node.feed.start(true);
    node.accessList.follow(entries -> followed = entries);
  }

  @AfterEach
  void stop() {
    open.forEach(RulesAssembly::close);
  }

  RulesAssembly node(Optional<Path> snapshot, Supplier<RuleDatabase> opener) {
    RulesOptions options =
        new RulesOptions(
            CallerSettings::of,
            Duration.ofSeconds(10),
            1_000,
            snapshot,
            true,
            Duration.ofDays(1),
            UsageOptions.USUAL.on(false),
            RulesOptions.USUAL_ANOMALIES);
    RulesAssembly made = new RulesAssembly(opener, () -> {}, options, ticker);
    open.add(made);
    return made;
  }

  /** Opens the database, and notes which of its methods read the access list. */
  private RuleDatabase opened() {
    RuleDatabase opened = DatabaseOpener.open(database, true);
    return (RuleDatabase)
        Proxy.newProxyInstance(
            RuleDatabase.class.getClassLoader(),
            new Class<?>[] {RuleDatabase.class},
            (proxy, method, arguments) -> {
              if (arguments != null && arguments[0] == RuleTable.ENTRIES) {
                reads.add(method.getName());
              }
              try {
                return method.invoke(opened, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            });
  }

  RulesAssembly second() {
    RulesAssembly second = node(Optional.empty(), () -> DatabaseOpener.open(database, true));
    second.feed.start(true);
    return second;
  }

  void sql(String... statements) {
    TestSql.run(database, statements);
  }

  private void add(String columns, String values) {
    sql("INSERT INTO weir.access_list (" + columns + ") VALUES (" + values + ")");
  }

  private List<String> inForce() {
    node.feed.refresh();
    return followed.stream().map(AccessEntry::toString).toList();
  }

  private List<String> problems() {
    return node.feed.problems().stream().map(RuleProblem::toString).toList();
  }

  @Test
  void anEntryByPlainSqlHoldsAsLongAsItsRowIsThere() {
    add("action, subject", "'DENY', '203.0.113.7'");
    add(
        "action, subject, counted, state, reason, valid_until",
        "'allow', 'user:ann', TRUE, 'SHADOW', 'a partner', TIMESTAMP WITH TIME ZONE"
            + " '2027-01-01 00:00:00+00'");
    assertEquals(
        List.of(
            "deny ip:203.0.113.7",
            "allow user:ann counted shadow until=2027-01-01T00:00:00Z reason=a partner"),
        inForce());
    sql("UPDATE weir.access_list SET subject = '203.0.113.0/24' WHERE action = 'DENY'");
    assertEquals("deny ip:203.0.113.0/24", inForce().get(0));
    sql("DELETE FROM weir.access_list");
    assertEquals(List.of(), inForce());
  }

  @Test
  void anEntryThroughTheApiHoldsHereAtOnceAndElsewhereAtTheNextLook() {
    AccessListRow saved = second().accessEntries.save(AccessListRow.of(SCRAPER), "alice");
    assertEquals(SCRAPER, saved.entry());
    assertEquals("alice", saved.updatedBy());
    assertEquals(1, saved.version());
    assertTrue(saved.createdAt().isPresent());
    assertEquals(List.of(SCRAPER.toString()), inForce());
    node.accessEntries.save(saved.with(SCRAPER.inShadow()), "bob");
    assertTrue(followed.get(0).isShadow(), "at once");
    assertEquals(
        saved.entry().inShadow(), node.accessEntries.find(saved.id()).orElseThrow().entry());
  }

  @Test
  void aChangeNamesTheVersionThatItWasMadeFrom() {
    AccessListRow saved = node.accessEntries.save(AccessListRow.of(SCRAPER), "alice");
    sql("UPDATE weir.access_list SET reason = 'a scraper'");
    assertThrows(
        ConflictException.class,
        () -> node.accessEntries.save(saved.with(SCRAPER.inShadow()), "bob"));
    assertThrows(
        ConflictException.class,
        () -> node.accessEntries.delete(saved.id(), saved.version(), "bob"));
    assertThrows(
        ConflictException.class,
        () -> node.accessEntries.change(List.of(AccessListRow.of(PARTNER)), List.of(saved), "bob"));
    assertEquals(1, inForce().size(), "all of a change, or nothing");
    long version = node.accessEntries.version(saved.id()).orElseThrow();
    assertEquals(2, version);
    node.accessEntries.delete(saved.id(), version, "bob");
    assertEquals(List.of(), inForce());
  }

  @Test
  void theHistoryTellsWhoLiftedAnEntryWhichComesBack() {
    AccessListRow saved = node.accessEntries.save(AccessListRow.of(SCRAPER), "alice");
    node.accessEntries.delete(saved.id(), saved.version(), "bob");
    List<RuleChange> changes = node.history.of("access_list", Long.toString(saved.id()));
    assertEquals(List.of("bob", "alice"), changes.stream().map(RuleChange::by).toList());
    assertEquals(List.of(), inForce());
    node.history.restore(changes.get(1).number(), "carol");
    assertEquals(List.of(SCRAPER.toString()), inForce());
    assertEquals(
        "carol", node.accessEntries.find(saved.id()).map(AccessListRow::updatedBy).orElseThrow());
  }

  @Test
  void aBadRowIsReportedAndItsLastGoodVersionHoldsAlsoAfterARestart() {
    AccessListRow saved = node.accessEntries.save(AccessListRow.of(SCRAPER), "alice");
    add("action, subject", "'DENY', 'user:mallory'");
    assertEquals(2, inForce().size());
    sql(
        "UPDATE weir.access_list SET subject = '203.0.113.0/33' WHERE id = " + saved.id(),
        "UPDATE weir.access_list SET subject = 'user:eve' WHERE subject = 'user:mallory'");
    assertEquals(List.of(SCRAPER.toString(), "deny user:eve"), inForce());
    assertEquals(1, problems().size());
    assertTrue(
        problems().get(0).startsWith("access_list id " + saved.id() + ", subject: must be"),
        problems()::toString);
    RulesAssembly restarted = second();
    assertTrue(
        restarted.accessList.rows().stream().anyMatch(row -> row.entry().equals(SCRAPER)),
        "after a restart");
    assertEquals(Optional.empty(), node.accessEntries.find(saved.id()));
    long version = node.accessEntries.version(saved.id()).orElseThrow();
    node.accessEntries.delete(saved.id(), version, "bob");
    assertEquals(List.of("deny user:eve"), inForce());
    assertEquals(List.of(), problems());
  }

  /** Such as a block that covers a trusted proxy. */
  @Test
  void whatBreaksARuleOfTheApplicationIsRefusedByTheApiAndABadRowBySql() {
    AccessListRow saved = node.accessEntries.save(AccessListRow.of(SCRAPER), "alice");
    add("action, subject", "'DENY', '10.0.0.0/8'");
    assertEquals(2, inForce().size());
    node.feed.application(refusing("10.0.0.0/8", "must not cover the trusted proxy 10.0.0.1"));
    assertEquals(List.of(SCRAPER.toString()), inForce(), "as soon as the application is known");
    sql("UPDATE weir.access_list SET subject = '10.0.0.0/8' WHERE id = " + saved.id());
    assertEquals(List.of(SCRAPER.toString()), inForce(), "its last good version");
    assertEquals(2, problems().size());
    assertTrue(problems().get(0).endsWith("must not cover the trusted proxy 10.0.0.1"));
    AccessEntry refused = AccessEntry.deny(AccessSubject.address("10.0.0.0/8"));
    InvalidRuleException told =
        assertThrows(
            InvalidRuleException.class,
            () -> node.accessEntries.save(AccessListRow.of(refused), "alice"));
    assertEquals("subject", told.problems().get(0).field());
    assertEquals(2, node.accessEntries.list(Optional.empty(), Long.MAX_VALUE, 10).size());
    long ofBadVersion = node.history.of("access_list", Long.toString(saved.id())).get(0).number();
    assertThrows(InvalidRuleException.class, () -> node.history.restore(ofBadVersion, "alice"));
  }

  private static RulebookContext refusing(String block, String rule) {
    return (RulebookContext)
        Proxy.newProxyInstance(
            RulebookContext.class.getClassLoader(),
            new Class<?>[] {RulebookContext.class},
            (proxy, method, arguments) ->
                !method.getName().equals("mistake")
                    ? method.invoke(RulebookContext.NONE, arguments)
                    : Optional.of(rule)
                        .filter(any -> ((AccessSubject) arguments[0]).value().equals(block)));
  }

  @Test
  void aCheckWarnsOfAnEntryThatHasEndedAndOfOneThatIsThereAlready() {
    assertEquals(List.of(), node.accessEntries.check(AccessListRow.of(SCRAPER)));
    AccessListRow saved = node.accessEntries.save(AccessListRow.of(SCRAPER), "alice");
    assertEquals(List.of(), node.accessEntries.check(saved));
    Instant end = ticker.instant();
    List<RuleProblem> told =
        node.accessEntries.check(AccessListRow.of(SCRAPER.inShadow().until(end)));
    assertTrue(told.stream().allMatch(RuleProblem::isWarning));
    assertEquals(
        List.of(
            "access_list a new row, valid_until: the entry has ended at " + end,
            "access_list a new row, subject: row "
                + saved.id()
                + " has the same action and subject, and stays"),
        told.stream().map(RuleProblem::toString).toList());
  }

  @Test
  void rowsAreListedByPagesAndFoundByTheirSubject() {
    for (String subject : List.of("203.0.113.7", "ip:203.0.113.7", "203.0.113.0/24", "user:ann")) {
      add("action, subject", "'DENY', '" + subject + "'");
    }
    node.accessEntries.save(AccessListRow.of(PARTNER), "alice");
    List<AccessListRow> all = node.accessEntries.list(Optional.empty(), Long.MAX_VALUE, 1_000);
    assertEquals(5, all.size());
    assertEquals(PARTNER, all.get(0).entry(), "the newest first");
    assertEquals(all.subList(2, 4), node.accessEntries.list(Optional.empty(), all.get(1).id(), 2));
    assertEquals(
        all.subList(1, 5),
        node.accessEntries.list(Optional.of(AccessAction.DENY), Long.MAX_VALUE, 1_000));
    assertEquals(all.subList(3, 5), node.accessEntries.of(AccessSubject.address("203.0.113.7")));
    assertEquals(all.subList(0, 2), node.accessEntries.of(AccessSubject.user("ann")));
    assertThrows(
        IllegalArgumentException.class,
        () -> node.accessEntries.list(Optional.empty(), Long.MAX_VALUE, 1_001));
  }

  @Test
  void ofManyEntriesOnlyThoseAreReadThatHaveChanged() {
    sql(
        IntStream.range(0, 5_000)
            .mapToObj(i -> "('DENY', '2001:db8:" + Integer.toHexString(i + 1) + "::/48')")
            .collect(
                Collectors.joining(
                    ", ", "INSERT INTO weir.access_list (action, subject) VALUES ", "")));
    assertEquals(5_000, inForce().size());
    reads.clear();
    add("action, subject", "'DENY', 'user:mallory'");
    sql("DELETE FROM weir.access_list WHERE subject = '2001:db8:1::/48'");
    assertEquals(5_000, inForce().size());
    assertEquals("deny user:mallory", inForce().get(4_999));
    assertFalse(reads.contains("all"), reads::toString);
    assertTrue(reads.contains("withKeys"), reads::toString);
  }

  @Test
  void theSnapshotHasTheEntriesForAStartWhileTheDatabaseIsAway() {
    Optional<Path> file = Optional.of(directory.resolve("rules.json"));
    node.accessEntries.save(AccessListRow.of(SCRAPER), "alice");
    node(file, () -> DatabaseOpener.open(database, true)).feed.start(true);
    AtomicBoolean isAway = new AtomicBoolean(true);
    RulesAssembly begun =
        node(
            file,
            () -> {
              if (isAway.get()) {
                throw new RulesUnavailableException("away", null);
              }
              return DatabaseOpener.open(database, true);
            });
    begun.feed.start(false);
    begun.feed.application(RulebookContext.NONE);
    assertEquals(
        List.of(SCRAPER), begun.accessList.rows().stream().map(AccessListRow::entry).toList());
    sql("DELETE FROM weir.access_list");
    isAway.set(false);
    begun.feed.refresh();
    assertEquals(List.of(), begun.accessList.rows());
  }

  @Test
  void changesAreEvents() {
    List<RuleEvent> events = new ArrayList<>();
    var unused = node.events.listen(events::add);
    add("action, subject", "'DENY', '203.0.113.7'");
    add("action, subject", "'DENY', 'nobody'");
    node.feed.refresh();
    RuleChange change = ((RuleEvent.Changed) events.get(0)).change();
    assertEquals("access_list", change.table());
    assertTrue(change.after().orElseThrow().contains("203.0.113.7"));
    assertTrue(events.get(2) instanceof RuleEvent.Problem, events::toString);
  }

  @Test
  void aUserWhoIsForgottenLeavesNoEntryAndNoHistory() {
    String key = "sha256:" + "a".repeat(64);
    add("action, subject", "'DENY', 'user:ann'");
    add("action, subject", "'DENY', 'user:anna'");
    add("action, subject", "'DENY', 'key:" + key + "'");
    UserRemoval removal = new UserRemoval(DatabaseOpener.open(database, true));
    for (String user : List.of("ann", key)) {
      removal.forget(user);
    }
    removal.finish(Duration.ofMinutes(-1));
    assertEquals(List.of("deny user:anna"), inForce());
    List<RuleChange> left = node.history.latest(100);
    assertTrue(
        left.stream().map(RuleChange::toString).noneMatch(each -> each.contains("user:ann\"")),
        left::toString);
    assertTrue(left.toString().contains("user:anna"));
    assertFalse(left.toString().contains(key), left::toString);
  }

  @Test
  void aTableOfThatNameElsewhereIsNotRead() {
    sql(
        "CREATE TABLE public.access_list (id BIGINT, action VARCHAR(20), subject VARCHAR(100),"
            + " created_at TIMESTAMP, updated_at TIMESTAMP)",
        "INSERT INTO public.access_list (id, action, subject) VALUES (1, 'DENY', '203.0.113.7')");
    node.foreign.refresh();
    assertEquals(List.of(), inForce());
    assertEquals(List.of(), problems());
  }

  /** A database that has no scripts' history, and the tables of the version before. */
  @Test
  void withoutItsTableThereAreNoEntriesAndAllElseHolds() {
    sql("DROP TABLE weir.access_list", "DROP TABLE weir.weir_schema_history");
    RuleDatabase older = DatabaseOpener.open(database, false);
    older.insert(
        RuleTable.COSTS, Map.of("endpoint", "/api", "method", "GET", "cost", "2"), "alice");
    RulesAssembly without = node(Optional.empty(), () -> DatabaseOpener.open(database, false));
    without.feed.start(true);
    assertEquals(List.of(), without.accessList.rows());
    assertEquals(List.of(), without.accessEntries.list(Optional.empty(), Long.MAX_VALUE, 10));
    assertEquals(1, without.costs.all().size());
    assertThrows(
        RulesUnavailableException.class,
        () -> without.accessEntries.save(AccessListRow.of(SCRAPER), "alice"));
  }
}
