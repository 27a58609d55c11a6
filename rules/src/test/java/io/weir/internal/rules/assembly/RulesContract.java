package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Scope;
import io.weir.internal.rules.callers.CallerId;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.rulebook.pattern.EndpointForm;
import io.weir.rules.OperationCost;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.rules.SwitchState;
import io.weir.rules.history.RuleChange;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of rules on any database, with two nodes and changes by SQL. */
abstract class RulesContract {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path directory;

  private final List<DefaultRules> open = new ArrayList<>();
  private DataSource database;
  private DefaultRules first;
  private DefaultRules second;

  /** An empty database of its own. */
  abstract DataSource fresh();

  @BeforeEach
  void start() {
    database = fresh();
    first = node(parts(Optional.empty(), true));
    second = node(parts(Optional.empty(), true));
  }

  @AfterEach
  void stop() {
    open.forEach(DefaultRules::close);
  }

  private DefaultRules node(RulesOptions parts) {
    return node(parts, opened -> opened);
  }

  private DefaultRules node(RulesOptions parts, UnaryOperator<RuleDatabase> wrapper) {
    DefaultRules node =
        DefaultRules.open(
            () -> wrapper.apply(DatabaseOpener.open(database, true)), () -> {}, parts);
    open.add(node);
    return node;
  }

  private RulesOptions parts(Optional<Path> snapshot, boolean isRequired) {
    return new RulesOptions(
        CallerSettings::of,
        Duration.ofSeconds(5),
        100,
        snapshot,
        isRequired,
        Duration.ofMillis(200),
        UsageOptions.USUAL,
        RulesOptions.USUAL_ANOMALIES);
  }

  void sql(String... statements) {
    TestSql.run(database, statements);
  }

  static void await(String what, Callable<Boolean> happened) {
    long until = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (!happened.call()) {
        assertTrue(System.nanoTime() < until, "never happened: " + what);
        Thread.sleep(20);
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** The limits in force at an endpoint. */
  static List<Long> limits(DefaultRules node, String endpoint) {
    return node.rulebook().match(EndpointForm.TEMPLATE, endpoint, "GET").rules().stream()
        .map(CompiledRule::rule)
        .map(Rule::limit)
        .sorted()
        .toList();
  }

  private void awaitLimits(String endpoint, List<Long> limits) {
    for (DefaultRules node : List.of(first, second)) {
      await(limits + " at " + endpoint, () -> limits(node, endpoint).equals(limits));
    }
  }

  private static Optional<String> tier(DefaultRules node, String user) {
    return node.callers()
        .find(CallerId.user(user))
        .toCompletableFuture()
        .join()
        .tier(Instant.now().toEpochMilli() * 1_000);
  }

  private static Rule rule(long limit) {
    return Rule.builder("free", "/api/*").limit(limit).build();
  }

  @Test
  void aRuleByPlainSqlHoldsOnEveryNode() {
    sql(
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds)"
            + " VALUES ('free', '/api/*', 10, 60)");
    awaitLimits("/api/posts", List.of(10L));
    sql("UPDATE weir.rate_limit_rules SET limit_count = 20");
    awaitLimits("/api/posts", List.of(20L));
    sql("DELETE FROM weir.rate_limit_rules");
    awaitLimits("/api/posts", List.of());
  }

  @Test
  void aTierByPlainSqlHoldsOnEveryNode() {
    for (DefaultRules node : List.of(first, second)) {
      assertEquals(Optional.empty(), tier(node, "alice"));
    }
    sql("INSERT INTO weir.user_tiers (user_id, tier) VALUES ('alice', 'premium')");
    awaitTier("alice", Optional.of("premium"));
    sql("UPDATE weir.user_tiers SET tier = 'enterprise'");
    awaitTier("alice", Optional.of("enterprise"));
    sql("DELETE FROM weir.user_tiers");
    awaitTier("alice", Optional.empty());
  }

  private void awaitTier(String user, Optional<String> tier) {
    for (DefaultRules node : List.of(first, second)) {
      await(user + " is " + tier, () -> tier(node, user).equals(tier));
    }
  }

  @Test
  void aSwitchByPlainSqlHoldsOnEveryNode() {
    String until =
        Instant.now().plus(1, ChronoUnit.HOURS).toString().replace('T', ' ').replace("Z", "+00");
    sql(
        "INSERT INTO weir.switches (policy, state, until, reason, set_by) VALUES ('search', 'OFF', '"
            + until
            + "', 'trouble', 'bob')");
    awaitSwitch(Optional.of(SwitchState.OFF));
    sql("UPDATE weir.switches SET state = 'SHADOW'");
    awaitSwitch(Optional.of(SwitchState.SHADOW));
    sql("DELETE FROM weir.switches");
    awaitSwitch(Optional.empty());
  }

  private void awaitSwitch(Optional<SwitchState> state) {
    for (DefaultRules node : List.of(first, second)) {
      await("switched " + state, () -> switchOf(node, Instant.now()).equals(state));
    }
  }

  private static Optional<SwitchState> switchOf(DefaultRules node, Instant now) {
    return node.rulebook().switchOf("search", now.toEpochMilli() * 1_000);
  }

  @Test
  void aCostByPlainSqlHoldsOnEveryNode() {
    sql(
        "INSERT INTO weir.operation_costs (endpoint, method, cost) VALUES ('/api/search', 'GET', 5)");
    for (DefaultRules node : List.of(first, second)) {
      await(
          "costs 5",
          () ->
              node.rulebook()
                  .cost(EndpointForm.TEMPLATE, "/api/search", "GET")
                  .equals(OptionalLong.of(5)));
    }
  }

  @Test
  void whatIsChangedThroughTheApiHoldsHereAtOnceAndElsewhereSoon() {
    first.rules().save(rule(10), "alice");
    assertEquals(List.of(10L), limits(first, "/api/posts"));
    awaitLimits("/api/posts", List.of(10L));
  }

  @Test
  void aChangeNamesTheVersionThatItWasMadeFrom() {
    Rule saved = first.rules().save(rule(10), "alice");
    assertEquals(1, saved.version());
    Rule newer = first.rules().save(saved.toBuilder().limit(20).build(), "alice");
    assertEquals(2, newer.version());
    assertThrows(
        ConflictException.class,
        () -> second.rules().save(saved.toBuilder().limit(30).build(), "bob"));
    assertThrows(
        ConflictException.class, () -> second.rules().delete(saved.id(), saved.version(), "bob"));
    assertEquals(20, second.rules().find(saved.id()).orElseThrow().limit());
    second.rules().delete(newer.id(), newer.version(), "bob");
    assertEquals(List.of(), second.rules().all());
    assertThrows(
        ConflictException.class,
        () -> first.rules().save(newer.toBuilder().limit(30).build(), "alice"));
  }

  @Test
  void aChangeBySqlIsNotOverwrittenEither() {
    Rule saved = first.rules().save(rule(10), "alice");
    sql("UPDATE weir.rate_limit_rules SET limit_count = 99");
    assertThrows(
        ConflictException.class,
        () -> first.rules().save(saved.toBuilder().limit(20).build(), "alice"));
    assertEquals(99, first.rules().find(saved.id()).orElseThrow().limit());
  }

  @Test
  void ofTwoWritersNoUpdateIsLost() throws Exception {
    long id = first.rules().save(rule(1), "alice").id();
    int each = 10;
    ExecutorService both = Executors.newFixedThreadPool(2);
    CountDownLatch ready = new CountDownLatch(2);
    List<Future<Void>> writers = new ArrayList<>();
    for (DefaultRules node : List.of(first, second)) {
      writers.add(
          both.submit(
              () -> {
                ready.countDown();
                ready.await();
                for (int i = 0; i < each; i++) {
                  addOne(node, id);
                }
                return null;
              }));
    }
    for (Future<Void> writer : writers) {
      writer.get();
    }
    both.shutdown();
    assertEquals(1 + 2 * each, first.rules().find(id).orElseThrow().limit());
    awaitLimits("/api/posts", List.of(1L + 2 * each));
  }

  private static void addOne(DefaultRules node, long id) {
    while (true) {
      Rule now = node.rules().find(id).orElseThrow();
      try {
        node.rules().save(now.toBuilder().limit(now.limit() + 1).build(), "writer");
        return;
      } catch (ConflictException other) {
        // read and try again, as a person does
      }
    }
  }

  @Test
  void whatIsWrongIsNamedByFieldAndNothingIsSaved() {
    InvalidRuleException told =
        assertThrows(
            InvalidRuleException.class,
            () -> first.rules().save(Rule.builder("free", "api").limit(0).build(), "alice"));
    List<String> fields = told.problems().stream().map(RuleProblem::field).toList();
    assertTrue(fields.contains("limit_count"), fields.toString());
    assertTrue(fields.contains("endpoint_pattern"), fields.toString());
    assertEquals(List.of(), first.rules().all());
  }

  @Test
  void aRuleWhoseFailuresASuccessClearsIsSavedAndOneBySqlThatMayNotIsReported() {
    Rule saved =
        first
            .rules()
            .save(
                Rule.builder("free", "/sign-in")
                    .limit(5)
                    .methods(Set.of("POST"))
                    .countBy(List.of("header:X-Account"))
                    .counts(Count.FAILURES)
                    .clearOn(ClearOn.SUCCESS)
                    .build(),
                "alice");
    assertEquals(ClearOn.SUCCESS, saved.clearOn());
    String key = Long.toString(saved.id());
    String after = first.history().of("rate_limit_rules", key).get(0).after().orElse("");
    assertTrue(after.matches(".*\"clear_on\": ?\"SUCCESS\".*"), after);
    assertTrue(first.yaml().export().contains("clear_on: SUCCESS"), first.yaml().export());
    List<String> differences = first.yaml().compare(first.yaml().export());
    assertFalse(differences.toString().contains("clear_on"), differences::toString);
    sql("UPDATE weir.rate_limit_rules SET methods = NULL WHERE id = " + key);
    await("reported", () -> !second.problems().isEmpty());
    assertEquals("clear_on", second.problems().get(0).field());
    sql("UPDATE weir.rate_limit_rules SET clear_on = NULL WHERE id = " + key);
    await("it is mended", () -> second.problems().isEmpty());
  }

  @Test
  void aRuleForEachRegionIsSavedAndKeepsItsBucketIfItBecomesOneForAll() {
    Rule saved = first.rules().save(rule(10).toBuilder().scope(Scope.REGION).build(), "alice");
    assertEquals(Scope.REGION, saved.scope());
    assertEquals(Scope.REGION, first.rules().all().get(0).scope());
    assertTrue(first.yaml().export().contains("scope: REGION"), first.yaml().export());
    Rule global = saved.toBuilder().scope(Scope.GLOBAL).build();
    assertEquals(List.of(), first.rules().check(global));
    first.rules().save(global, "alice");
    assertFalse(first.yaml().export().contains("scope:"), first.yaml().export());
  }

  @Test
  void aDraftHasNoEffect() {
    first.rules().save(rule(10).toBuilder().state(RuleState.DRAFT).build(), "alice");
    assertEquals(List.of(), limits(first, "/api/posts"));
    assertEquals(1, first.rules().all().size());
  }

  @Test
  void theHistoryTellsWhoChangedWhat() {
    Rule saved = first.rules().save(rule(10), "alice");
    first.rules().save(saved.toBuilder().limit(20).build(), "bob");
    List<RuleChange> changes = first.history().of("rate_limit_rules", Long.toString(saved.id()));
    assertEquals(List.of("bob", "alice"), changes.stream().map(RuleChange::by).toList());
    assertTrue(changes.get(0).before().isPresent());
    assertTrue(changes.get(1).before().isEmpty());
    assertEquals(changes, first.history().latest(10));
  }

  @Test
  void anyVersionCanBeBroughtBackAlsoOfADeletedRow() {
    Rule saved =
        first
            .rules()
            .save(
                rule(10).toBuilder().validUntil(Instant.parse("2030-01-31T10:00:00Z")).build(),
                "alice");
    Rule newer = first.rules().save(saved.toBuilder().limit(20).build(), "alice");
    String key = Long.toString(saved.id());
    long ofTen = first.history().of("rate_limit_rules", key).get(1).number();
    first.history().restore(ofTen, "bob");
    Rule back = first.rules().find(saved.id()).orElseThrow();
    assertEquals(10, back.limit());
    assertEquals(saved.validUntil(), back.validUntil());
    assertEquals("bob", back.updatedBy());
    assertEquals(newer.version() + 1, back.version());
    first.rules().delete(back.id(), back.version(), "alice");
    first.history().restore(ofTen, "bob");
    assertEquals(10, first.rules().find(saved.id()).orElseThrow().limit());
    assertEquals(List.of(10L), limits(first, "/api/posts"));
    assertThrows(IllegalArgumentException.class, () -> first.history().restore(999_999, "bob"));
  }

  @Test
  void ownLimitsComeBackToo() {
    first.rules().save(rule(10), "alice");
    UserTier user =
        new UserTier(
            "carol",
            "free",
            List.of(new OwnLimit("/api/*", 50, Optional.empty())),
            UserState.ENFORCED,
            Optional.empty(),
            0);
    UserTier saved = first.users().save(user, "alice");
    assertEquals(user.ownLimits(), saved.ownLimits());
    first.users().delete("carol", saved.version(), "alice");
    assertEquals(Optional.empty(), first.users().find("carol"));
    long added = first.history().of("user_tiers", "carol").get(1).number();
    first.history().restore(added, "bob");
    assertEquals(user.ownLimits(), first.users().find("carol").orElseThrow().ownLimits());
  }

  @Test
  void aUserIsSavedFromTheVersionThatWasSeen() {
    UserTier saved = first.users().save(UserTier.of("alice", "premium"), "bob");
    assertThrows(
        ConflictException.class,
        () -> second.users().save(UserTier.of("alice", "free"), "carol"),
        "there is one already");
    UserTier enterprise =
        new UserTier(
            "alice",
            "enterprise",
            List.of(),
            UserState.ENFORCED,
            Optional.empty(),
            saved.version());
    second.users().save(enterprise, "carol");
    assertThrows(ConflictException.class, () -> first.users().save(enterprise, "bob"));
    assertEquals(Optional.of("enterprise"), tier(second, "alice"));
    awaitTier("alice", Optional.of("enterprise"));
  }

  @Test
  void usersAndAuthorsHaveNamesAsLongAsTheTablesKeepThem() {
    String user = "u".repeat(500);
    UserTier premium = UserTier.of(user, "premium");
    assertThrows(
        IllegalArgumentException.class, () -> first.users().save(premium, "a".repeat(201)));
    first.users().save(premium, "a".repeat(200));
    awaitTier(user, Optional.of("premium"));
  }

  @Test
  void anOwnLimitThatFitsNoRuleIsNotSaved() {
    UserTier user =
        new UserTier(
            "carol",
            "free",
            List.of(new OwnLimit("/no/rule", 50, Optional.empty())),
            UserState.ENFORCED,
            Optional.empty(),
            0);
    InvalidRuleException told =
        assertThrows(InvalidRuleException.class, () -> first.users().save(user, "alice"));
    assertFalse(told.getMessage().contains("carol"), told.getMessage());
  }

  @Test
  void aSwitchNeedsAnEndSoonAndAReason() {
    Instant now = Instant.now();
    for (PolicySwitch wrong :
        List.of(
            new PolicySwitch("search", SwitchState.OFF, now.minusSeconds(1), "why", "bob"),
            new PolicySwitch(
                "search", SwitchState.OFF, now.plus(Duration.ofDays(31)), "why", "bob"),
            new PolicySwitch("search", SwitchState.OFF, now.plusSeconds(60), " ", "bob"))) {
      assertThrows(InvalidRuleException.class, () -> first.switches().set(wrong), wrong.toString());
    }
    assertEquals(List.of(), first.switches().all());
  }

  @Test
  void aSwitchEndsByItself() {
    Instant end = Instant.now().plusSeconds(3_600).truncatedTo(ChronoUnit.MILLIS);
    first.switches().set(new PolicySwitch("search", SwitchState.OFF, end, "why", "bob"));
    assertEquals(Optional.of(SwitchState.OFF), switchOf(first, Instant.now()));
    assertEquals(Optional.empty(), switchOf(first, end));
    first.switches().set(new PolicySwitch("search", SwitchState.SHADOW, end, "why", "carol"));
    assertEquals(
        List.of(new PolicySwitch("search", SwitchState.SHADOW, end, "why", "carol")),
        second.switches().all());
    assertTrue(second.switches().end("search", "dave"));
    assertFalse(second.switches().end("search", "dave"));
    awaitSwitch(Optional.empty());
  }

  @Test
  void costsAreSavedFromTheVersionThatWasSeen() {
    OperationCost saved =
        first.costs().save(new OperationCost(0, "/api/search", "GET", 5, 0), "alice");
    assertEquals(
        OptionalLong.of(5), first.rulebook().cost(EndpointForm.TEMPLATE, "/api/search", "GET"));
    OperationCost dearer = new OperationCost(saved.id(), "/api/search", "GET", 7, saved.version());
    first.costs().save(dearer, "alice");
    assertThrows(ConflictException.class, () -> second.costs().save(dearer, "bob"));
    assertEquals(List.of(7L), second.costs().all().stream().map(OperationCost::cost).toList());
  }

  @Test
  void theChangeOfOneRuleReadsAndCompilesNoOther() {
    AtomicInteger wholeReads = new AtomicInteger();
    DefaultRules node =
        node(parts(Optional.empty(), true), database -> watched(database, wholeReads));
    Rule other = node.rules().save(Rule.builder("free", "/other").limit(3).build(), "alice");
    CompiledRule compiled = compiled(node, other.id());
    wholeReads.set(0);
    Rule saved = node.rules().save(rule(10), "alice");
    node.rules().save(saved.toBuilder().limit(20).build(), "alice");
    assertEquals(List.of(20L), limits(node, "/api/posts"));
    sql("UPDATE weir.rate_limit_rules SET id = 77 WHERE endpoint_pattern = '/api/*'");
    await("another key", () -> node.rulebook().inForce().containsKey(77L));
    assertEquals(List.of(20L), limits(node, "/api/posts"));
    sql("DELETE FROM weir.rate_limit_rules WHERE id = 77");
    await("deleted", () -> limits(node, "/api/posts").isEmpty());
    assertSame(compiled, compiled(node, other.id()));
    assertEquals(0, wholeReads.get());
  }

  private static CompiledRule compiled(DefaultRules node, long id) {
    return node.rulebook().rules().stream()
        .filter(each -> each.rule().id() == id)
        .findFirst()
        .orElseThrow();
  }

  /** Counts how often all rows of a table are read. */
  private static RuleDatabase watched(RuleDatabase database, AtomicInteger wholeReads) {
    return called(
        database,
        method -> {
          if (method.equals("all")) {
            wholeReads.incrementAndGet();
          }
        });
  }

  /** Reports the name of each method before it is called. */
  private static RuleDatabase called(RuleDatabase database, Consumer<String> listener) {
    return called(database, listener, method -> {});
  }

  private static RuleDatabase called(
      RuleDatabase database, Consumer<String> before, Consumer<String> after) {
    return (RuleDatabase)
        Proxy.newProxyInstance(
            RuleDatabase.class.getClassLoader(),
            new Class<?>[] {RuleDatabase.class},
            (proxy, method, arguments) -> {
              before.accept(method.getName());
              try {
                Object result = method.invoke(database, arguments);
                after.accept(method.getName());
                return result;
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            });
  }

  @Test
  void noTransactionIsSeenByHalves() {
    AtomicBoolean isChanged = new AtomicBoolean(true);
    DefaultRules node =
        node(parts(Optional.empty(), true), database -> called(database, changeOnce(isChanged)));
    Rule saved = node.rules().save(rule(10), "alice");
    node.rules().save(Rule.builder("free", "/other").limit(10).build(), "alice");
    Set<List<Long>> seen = ConcurrentHashMap.newKeySet();
    node.policySource()
        .onChange(
            () ->
                seen.add(
                    node.rulebook().rules().stream().map(each -> each.rule().limit()).toList()));
    isChanged.set(false);
    node.rules().save(saved.toBuilder().limit(20).build(), "alice");
    await("both are changed", () -> seen.contains(List.of(50L, 50L)));
    assertFalse(seen.contains(List.of(50L, 10L)), seen::toString);
  }

  @Test
  void aRowThatChangesWhileItIsReadIsReadAgain() {
    AtomicBoolean isChanged = new AtomicBoolean(true);
    DefaultRules node =
        node(
            parts(Optional.empty(), true),
            database -> called(database, method -> {}, changeOnce(isChanged)));
    Rule saved = node.rules().save(rule(10), "alice");
    isChanged.set(false);
    node.rules().save(saved.toBuilder().limit(20).build(), "alice");
    await("the second change", () -> limits(node, "/api/posts").equals(List.of(50L)));
  }

  /** Changes all rows once, where rows are read by their keys. */
  private Consumer<String> changeOnce(AtomicBoolean isChanged) {
    return method -> {
      if (method.equals("withKeys") && !isChanged.getAndSet(true)) {
        sql("UPDATE weir.rate_limit_rules SET limit_count = 50");
      }
    };
  }

  @Test
  void aTransactionThatCommitsLateIsSeenAndOneThatRollsBackIsNot() throws SQLException {
    try (Connection late = database.getConnection();
        Connection never = database.getConnection()) {
      late.setAutoCommit(false);
      never.setAutoCommit(false);
      insert(late, "/late");
      insert(never, "/never");
      first.rules().save(Rule.builder("free", "/soon").limit(1).build(), "alice");
      awaitLimits("/soon", List.of(1L));
      assertEquals(List.of(), limits(first, "/late"));
      never.rollback();
      late.commit();
    }
    awaitLimits("/late", List.of(7L));
    sql("UPDATE weir.rate_limit_rules SET limit_count = 8 WHERE endpoint_pattern = '/late'");
    awaitLimits("/late", List.of(8L));
    awaitLimits("/never", List.of());
  }

  private static void insert(Connection connection, String pattern) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds)"
              + " VALUES ('free', '"
              + pattern
              + "', 7, 60)");
    }
  }

  @Test
  void aBadRowKeepsItsLastGoodVersionBesideGoodChanges() {
    Rule saved = first.rules().save(rule(10), "alice");
    first.rules().save(Rule.builder("free", "/other").limit(3).build(), "alice");
    sql(
        "UPDATE weir.rate_limit_rules SET algorithm = 'NO_SUCH', limit_count = 99 WHERE id = "
            + saved.id(),
        "UPDATE weir.rate_limit_rules SET limit_count = 4 WHERE endpoint_pattern = '/other'");
    awaitLimits("/other", List.of(4L));
    awaitLimits("/api/posts", List.of(10L));
    await("reported", () -> !first.problems().isEmpty());
    RuleProblem problem = first.problems().get(0);
    assertEquals("algorithm", problem.field());
    assertTrue(problem.toString().contains("free"), problem.toString());

    DefaultRules restarted = node(parts(Optional.empty(), true));
    assertEquals(List.of(10L), limits(restarted, "/api/posts"), "after a restart");

    sql("UPDATE weir.rate_limit_rules SET algorithm = NULL WHERE id = " + saved.id());
    awaitLimits("/api/posts", List.of(99L));
    await("it is mended", () -> first.problems().isEmpty());
  }

  @Test
  void aRowThatIsReadButCannotBeUsedKeepsItsLastGoodVersionToo() {
    Rule saved = first.rules().save(rule(10), "alice");
    sql("UPDATE weir.rate_limit_rules SET refill = 5, limit_count = 99 WHERE id = " + saved.id());
    await("reported", () -> !first.problems().isEmpty());
    assertEquals(List.of(10L), limits(first, "/api/posts"));
    DefaultRules restarted = node(parts(Optional.empty(), true));
    assertEquals(List.of(10L), limits(restarted, "/api/posts"), "after a restart");
  }

  @Test
  void aSnapshotServesAStartWhileTheDatabaseIsAway() throws Exception {
    Path file = directory.resolve("rules.json");
    first.rules().save(rule(10), "alice");
    first.users().save(UserTier.of("somebody", "premium"), "alice");
    first.costs().save(new OperationCost(0, "/api/search", "GET", 5, 0), "alice");
    node(parts(Optional.of(file), true)).close();
    assertFalse(Files.readString(file).contains("somebody"));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));

    AtomicBoolean away = new AtomicBoolean(true);
    DefaultRules begun =
        DefaultRules.open(
            () -> {
              if (away.get()) {
                throw new io.weir.rules.problem.RulesUnavailableException("away", null);
              }
              return DatabaseOpener.open(database, true);
            },
            () -> {},
            parts(Optional.of(file), false));
    open.add(begun);
    assertEquals(List.of(10L), limits(begun, "/api/posts"));
    assertEquals(
        OptionalLong.of(5), begun.rulebook().cost(EndpointForm.TEMPLATE, "/api/search", "GET"));
    assertFalse(begun.problems().isEmpty());

    sql("UPDATE weir.rate_limit_rules SET limit_count = 20");
    away.set(false);
    await("the database is found", () -> limits(begun, "/api/posts").equals(List.of(20L)));
    await("all is well", () -> begun.problems().isEmpty());
  }

  @Test
  void aBadRowAfterARestartIsTakenFromTheSnapshotWhereTheHistoryHasNone() {
    Path file = directory.resolve("rules.json");
    first.rules().save(rule(10), "alice");
    node(parts(Optional.of(file), true)).close();
    sql("UPDATE weir.rate_limit_rules SET mode = 'NO_SUCH'", "DELETE FROM weir.rule_changes");
    DefaultRules restarted = node(parts(Optional.of(file), true));
    assertEquals(List.of(10L), limits(restarted, "/api/posts"));
    assertFalse(restarted.problems().isEmpty());
  }

  @Test
  void moreChangedUsersThanAreNamedDropAllCallers() {
    assertEquals(Optional.empty(), tier(first, "user7"));
    sql(
        IntStream.range(0, 12_000)
            .mapToObj(i -> "('user" + i + "', 'gold')")
            .collect(
                Collectors.joining(
                    ", ", "INSERT INTO weir.user_tiers (user_id, tier) VALUES ", "")));
    awaitTier("user7", Optional.of("gold"));
    sql("UPDATE weir.user_tiers SET tier = 'silver'");
    awaitTier("user7", Optional.of("silver"));
  }

  @Test
  void tablesWithoutTriggersAreFollowedAndNoChangeIsLost() {
    database = fresh();
    Dialect dialect = DatabaseOpener.open(database, true).dialect();
    for (String table : List.of("rate_limit_rules", "user_tiers")) {
      for (String kind : List.of("_weir_stamp", "_weir_change")) {
        sql(
            dialect == Dialect.H2
                ? "DROP TRIGGER weir." + table + kind
                : "DROP TRIGGER " + table + kind + " ON weir." + table);
      }
    }
    sql(
        "INSERT INTO weir.rate_limit_rules (id, tier, endpoint_pattern, limit_count, window_seconds,"
            + " updated_at) VALUES (1, 'free', '/api/*', 10, 60, TIMESTAMP WITH TIME ZONE"
            + " '2026-01-01 10:00:00+00')");
    DefaultRules node =
        DefaultRules.open(
            () -> DatabaseOpener.open(database, false), () -> {}, parts(Optional.empty(), true));
    open.add(node);
    assertEquals(List.of(10L), limits(node, "/api/posts"));
    assertEquals(Optional.empty(), tier(node, "alice"));
    Rule seen = node.rules().find(1).orElseThrow();

    sql(
        "UPDATE weir.rate_limit_rules SET limit_count = 20, updated_at = TIMESTAMP WITH TIME"
            + " ZONE '2026-01-02 10:00:00+00'",
        "INSERT INTO weir.user_tiers (user_id, tier) VALUES ('alice', 'premium')");
    await("the rule", () -> limits(node, "/api/posts").equals(List.of(20L)));
    await("the tier", () -> tier(node, "alice").equals(Optional.of("premium")));
    assertThrows(
        ConflictException.class,
        () -> node.rules().save(seen.toBuilder().limit(30).build(), "bob"));
    Rule now = node.rules().find(1).orElseThrow();
    Rule saved = node.rules().save(now.toBuilder().limit(30).build(), "bob");
    assertEquals(30, saved.limit());
    assertThrows(
        ConflictException.class, () -> node.rules().save(now.toBuilder().limit(40).build(), "bob"));
    assertEquals(List.of(30L), limits(node, "/api/posts"));
  }

  @Test
  void aCalendarPeriodIsSavedAndComesBack() {
    Rule saved =
        first
            .rules()
            .save(
                Rule.builder("free", "/api/*")
                    .limit(100)
                    .window(RuleWindow.parsePeriod("1 MONTH"))
                    .zone("Europe/Berlin")
                    .build(),
                "alice");
    assertEquals(saved.window(), second.rules().find(saved.id()).orElseThrow().window());
    awaitLimits("/api/posts", List.of(100L));
  }
}
