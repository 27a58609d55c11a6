package io.weir.internal.rules.callers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.quotas.QuotaAccount;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.test.log.BrokenLogger;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Caches callers and looks them up. */
class CallerProfileCacheTest {
  private static final Duration NEVER = Duration.ofMinutes(5);
  private static final Duration SOON = Duration.ofMillis(100);
  private static final long NOW = 0;

  private final FakeTicker ticker = new FakeTicker();
  private final Table table = new Table();
  private CallerProfileCache directory = directory(NEVER, 1_000);

  /** Answers when the test allows it. */
  private static final class Table implements CallerRowReader {
    private final Map<String, UserTier> rows = new ConcurrentHashMap<>();
    private final List<Collection<String>> statements = new CopyOnWriteArrayList<>();
    private final Semaphore answers = new Semaphore(0);
    private volatile boolean waits;
    private volatile boolean fails;
    private volatile boolean failsForQuotas;

    /** As many users fit into memory. */
    private volatile int most = Integer.MAX_VALUE;

    @Override
    public ReadUsers readSome(Collection<String> userIds) {
      List<String> some = userIds.stream().sorted().limit(most).toList();
      Set<String> left = new HashSet<>(userIds);
      some.forEach(left::remove);
      return new ReadUsers(read(some), left);
    }

    @Override
    public Map<String, QuotaAccount> quotas(Collection<String> userIds) {
      if (failsForQuotas) {
        throw new RulesUnavailableException("on purpose", new IllegalStateException());
      }
      Map<String, QuotaAccount> accounts = new HashMap<>();
      userIds.forEach(
          each ->
              accounts.put(
                  each, new QuotaAccount(each, Optional.empty(), List.of(), List.of(), NOW)));
      return accounts;
    }

    @Override
    public Map<String, UserTier> read(Collection<String> userIds) {
      Map<String, UserTier> seen = new HashMap<>(rows);
      statements.add(List.copyOf(userIds));
      if (waits) {
        answers.acquireUninterruptibly();
      }
      if (fails) {
        throw new RulesUnavailableException("on purpose", new IllegalStateException());
      }
      seen.keySet().retainAll(userIds);
      return seen;
    }

    void put(String user, String tier) {
      rows.put(user, UserTier.of(user, tier));
    }

    /** Answers no more look-ups. */
    void hold() {
      answers.drainPermits();
      waits = true;
    }

    /** Answers all look-ups, waiting ones too. */
    void answer() {
      waits = false;
      answers.release(100);
    }
  }

  private CallerProfileCache directory(Duration timeout, int most) {
    return new CallerProfileCache(table, most, timeout, timeout, ticker);
  }

  private void open(Duration timeout) {
    directory.close();
    directory = directory(timeout, 1_000);
  }

  @AfterEach
  void close() {
    table.answer();
    directory.close();
  }

  private CompletableFuture<CallerProfile> ask(String user) {
    return directory.find(CallerId.user(user)).toCompletableFuture();
  }

  private CallerProfile known(String user) throws Exception {
    return ask(user).get(1, TimeUnit.MINUTES);
  }

  private String tier(String user) throws Exception {
    return known(user).tier(NOW).orElse("-");
  }

  private static void until(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; !condition.getAsBoolean(); i++) {
      assertTrue(i < 60_000, "never");
      Thread.sleep(1);
    }
  }

  @Test
  void aCallerWhoIsCachedIsAnsweredAtOnceAndNotLookedUpAgain() throws Exception {
    table.put("alice", "premium");
    assertEquals("premium", tier("alice"));
    assertTrue(ask("alice").isDone());
    assertSame(ask("alice").join(), ask("alice").join());
    assertEquals("-", tier("bob"), "a caller without a row is cached, too");
    assertTrue(ask("bob").isDone());
    assertEquals(2, table.statements.size());
  }

  @Test
  void whoCanHaveNoRowIsNotLookedUp() {
    assertTrue(ask("sha256:abc").isDone());
    assertEquals(List.of(), table.statements);
  }

  @Test
  void allWhoWaitForOneCallerShareOneLookUp() throws Exception {
    table.hold();
    List<CompletableFuture<CallerProfile>> waiting = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      waiting.add(ask("alice"));
    }
    assertFalse(waiting.get(49).isDone());
    table.answer();
    for (CompletableFuture<CallerProfile> each : waiting) {
      each.get(1, TimeUnit.MINUTES);
    }
    assertEquals(1, table.statements.size());
  }

  @Test
  void oneStatementLooksUpToFiveHundredWhoWaitAtThatMoment() throws Exception {
    table.hold();
    ask("first");
    until(() -> table.statements.size() == 1);
    List<CompletableFuture<CallerProfile>> waiting = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      waiting.add(ask("user" + i));
    }
    table.answer();
    for (CompletableFuture<CallerProfile> each : waiting) {
      each.get(1, TimeUnit.MINUTES);
    }
    assertEquals(List.of(1, 500, 200), table.statements.stream().map(Collection::size).toList());
  }

  @Test
  void usersWhoseRowsDontFitIntoMemoryTogetherAreReadOneAfterTheOther() throws Exception {
    table.most = 2;
    table.hold();
    ask("first");
    until(() -> table.statements.size() == 1);
    Map<String, CompletableFuture<CallerProfile>> waiting = new HashMap<>();
    for (String each : List.of("a", "b", "c", "d", "e")) {
      table.put(each, "tier of " + each);
      waiting.put(each, ask(each));
    }
    table.answers.release();
    until(() -> table.statements.size() == 2);
    directory.drop(List.of("c"));
    CompletableFuture<CallerProfile> again = ask("c");
    table.answer();
    for (Map.Entry<String, CompletableFuture<CallerProfile>> each : waiting.entrySet()) {
      CallerProfile profile = each.getValue().get(1, TimeUnit.MINUTES);
      assertEquals(Optional.of("tier of " + each.getKey()), profile.tier(NOW));
      assertTrue(profile.isCurrent());
      assertTrue(ask(each.getKey()).isDone(), "it is cached");
    }
    assertEquals(Optional.of("tier of c"), again.get(1, TimeUnit.MINUTES).tier(NOW));
    assertTrue(table.statements.stream().allMatch(each -> each.size() <= 2));
  }

  @Test
  void whoIsntKnownInTimeIsUnknownAndKnownAsSoonAsTheDatabaseAnswers() throws Exception {
    open(SOON);
    table.put("alice", "premium");
    table.hold();
    CallerProfile late = known("alice");
    assertFalse(late.isCurrent());
    assertEquals(Optional.empty(), late.tier(NOW));
    table.answer();
    until(() -> ask("alice").join().isCurrent());
    assertEquals("premium", tier("alice"));
  }

  @Test
  void whatWasLastKnownHoldsWhereTheDatabaseFails() throws Exception {
    table.put("alice", "premium");
    assertEquals("premium", tier("alice"));
    table.fails = true;
    directory.drop(List.of("alice"));
    CallerProfile last = known("alice");
    assertFalse(last.isCurrent());
    assertEquals(Optional.of("premium"), last.tier(NOW));
    table.fails = false;
    until(() -> ask("alice").join().isCurrent());
  }

  @Test
  void afterThreeFailedLookUpsNobodyWaitsUntilOneHasSucceededInTheBackground() throws Exception {
    try (LogLines log = new LogLines()) {
      table.fails = true;
      for (int i = 0; i < 3; i++) {
        assertFalse(known("user" + i).isCurrent());
      }
      table.fails = false;
      table.hold();
      CompletableFuture<CallerProfile> fourth = ask("alice");
      assertTrue(fourth.isDone(), "without waiting");
      assertFalse(fourth.join().isCurrent());
      assertEquals(
          1,
          log.containing("callers that aren't cached have the default tier").size(),
          "logged once");
      assertEquals(List.of(), log.containing("alice"));
      assertEquals(List.of(), log.containing("user1"));
      table.answer();
      until(() -> ask("alice").join().isCurrent());
      AtomicInteger others = new AtomicInteger(); // any look-up may have come too late
      until(
          () -> {
            if (!ask("other" + others.incrementAndGet()).join().isCurrent()) {
              return false;
            }
            table.hold();
            boolean waitsAgain = !ask("bob" + others.get()).isDone();
            table.answer();
            return waitsAgain;
          });
    }
  }

  /** There is only one worker, and requests wait for its answers. */
  @Test
  void callersAreLookedUpAgainAlsoIfALoggerThrewMeanwhile() throws Exception {
    try (BrokenLogger broken = new BrokenLogger()) {
      table.fails = true;
      for (int i = 0; i < 3; i++) {
        assertFalse(known("user" + i).isCurrent());
      }
      table.fails = false;
      until(() -> ask("alice").join().isCurrent());
    }
  }

  @Test
  void whoWaitsInVainAtOneTimeIsOneFailureNotMany() throws Exception {
    open(SOON);
    table.hold();
    List<CompletableFuture<CallerProfile>> waiting = new ArrayList<>();
    synchronized (table) {
      for (int i = 0; i < 100; i++) {
        waiting.add(ask("user" + i));
      }
    }
    for (CompletableFuture<CallerProfile> each : waiting) {
      assertFalse(each.get(1, TimeUnit.MINUTES).isCurrent());
    }
    assertTrue(waited("alice").compareTo(SOON) >= 0, "that was one");
  }

  @Test
  void aFrozenDatabaseIsNotWaitedForThreeTimesByEveryCaller() throws Exception {
    open(SOON);
    table.hold();
    for (int i = 0; i < 3; i++) {
      assertTrue(waited("user" + i).compareTo(SOON) >= 0, "caller " + i);
    }
    for (int i = 3; i < 50; i++) {
      CompletableFuture<CallerProfile> each = ask("user" + i);
      assertTrue(each.isDone(), "without waiting");
      assertFalse(each.join().isCurrent());
    }
  }

  /** How long a caller waited in vain. */
  private Duration waited(String user) throws Exception {
    long began = System.nanoTime();
    assertFalse(known(user).isCurrent());
    return Duration.ofNanos(System.nanoTime() - began);
  }

  @Test
  void aSlowAnswerIsKeptButMakesNobodyWaitForTheNext() throws Exception {
    open(SOON);
    table.put("user0", "premium");
    table.hold();
    for (int i = 0; i < 3; i++) {
      known("user" + i);
    }
    table.answers.release(1);
    until(() -> ask("user0").join().isCurrent());
    assertEquals("premium", tier("user0"));
    assertTrue(ask("bob").isDone());
  }

  @Test
  void whatALookUpBringsIsntKeptIfTheCallerWasNamedSinceItBegan() throws Exception {
    table.put("alice", "free");
    table.hold();
    CompletableFuture<CallerProfile> before = ask("alice");
    until(() -> table.statements.size() == 1);
    // It has read the old row, and doesn't answer yet.
    table.put("alice", "premium");
    directory.drop(List.of("alice"));
    CompletableFuture<CallerProfile> after = ask("alice");
    table.answer();
    assertEquals(Optional.of("free"), before.get(1, TimeUnit.MINUTES).tier(NOW));
    assertEquals(Optional.of("premium"), after.get(1, TimeUnit.MINUTES).tier(NOW));
    assertEquals("premium", tier("alice"));
    assertEquals(2, table.statements.size());
  }

  @Test
  void allOfThemMayBeNamedAtOnce() throws Exception {
    table.put("alice", "free");
    assertEquals("free", tier("alice"));
    table.hold();
    ask("bob");
    until(() -> table.statements.size() == 2);
    table.put("alice", "premium");
    table.put("bob", "premium");
    directory.dropAll();
    table.answer();
    assertEquals("premium", tier("alice"));
    assertEquals("premium", tier("bob"));
  }

  @Test
  void aKeyIsDroppedByItsDigest() throws Exception {
    CallerId key = CallerId.key("secret");
    directory.find(Optional.of(key)).toCompletableFuture().get(1, TimeUnit.MINUTES);
    table.put(key.rowKey(), "premium");
    directory.drop(List.of(key.rowKey()));
    CallerProfile found =
        directory.find(Optional.of(key)).toCompletableFuture().get(1, TimeUnit.MINUTES);
    assertEquals(Optional.of("premium"), found.tier(NOW));
  }

  @Test
  void aKeyCalledLikeAUserIsntThatUser() throws Exception {
    table.put("alice", "premium");
    CallerProfile key =
        directory
            .find(Optional.of(CallerId.key("alice")))
            .toCompletableFuture()
            .get(1, TimeUnit.MINUTES);
    assertEquals(Optional.empty(), key.tier(NOW));
    assertEquals("premium", tier("alice"));
  }

  @Test
  void aCallerIsLookedUpAgainAfterAnHour() throws Exception {
    table.put("alice", "free");
    assertEquals("free", tier("alice"));
    table.put("alice", "premium");
    ticker.advance(Duration.ofMinutes(59));
    assertEquals("free", tier("alice"));
    ticker.advance(Duration.ofMinutes(2));
    assertEquals("premium", tier("alice"));
  }

  @Test
  void whileTheDatabaseIsAwayCallersHoldForMoreThanAnHour() throws Exception {
    table.put("alice", "premium");
    assertEquals("premium", tier("alice"));
    table.fails = true;
    ticker.advance(Duration.ofHours(5));
    for (int i = 0; i < 5; i++) {
      assertEquals("premium", tier("alice"));
    }
  }

  @Test
  void aRowThatHasEndedSaysNothing() throws Exception {
    table.rows.put(
        "alice",
        new UserTier(
            "alice",
            "premium",
            List.of(),
            UserState.EVALUATION,
            Optional.of(Instant.EPOCH.plusSeconds(60)),
            1));
    CallerProfile alice = known("alice");
    assertEquals(Optional.of("premium"), alice.tier(59_999_999));
    assertTrue(alice.isEvaluated(59_999_999));
    assertEquals(Optional.empty(), alice.tier(60_000_000));
    assertFalse(alice.isEvaluated(60_000_000));
  }

  @Test
  void aHundredThousandInventedKeysLeaveBoundedMemory() throws Exception {
    List<CompletableFuture<CallerProfile>> waiting = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      CompletableFuture<CallerProfile> each =
          directory.find(Optional.of(CallerId.key("invented" + i))).toCompletableFuture();
      if (!each.isDone()) {
        waiting.add(each);
      }
      if (waiting.size() == 1_000) {
        for (CompletableFuture<CallerProfile> one : waiting) {
          one.get(1, TimeUnit.MINUTES);
        }
        waiting.clear();
      }
    }
    // The last look-ups may still be adding theirs.
    long began = System.nanoTime();
    while (directory.size() > 1_000 && System.nanoTime() - began < TimeUnit.MINUTES.toNanos(1)) {
      directory.find(Optional.of(CallerId.key("one more"))).toCompletableFuture().get();
    }
    assertTrue(directory.size() <= 1_000, "kept " + directory.size());
  }

  @Test
  void whatIsRehearsedAtTheStartLooksNobodyUpAndMayFail() throws Exception {
    table.put("alice", "premium");
    directory.warmUp();
    assertEquals(Set.of(List.of("")), Set.copyOf(table.statements));
    assertEquals(Optional.of("premium"), known("alice").tier(NOW));
    table.fails = true;
    directory.warmUp();
    table.fails = false;
    assertEquals(Optional.empty(), known("bob").tier(NOW), "no effect on callers");
  }

  @Test
  void whoeverWaitsIsAnsweredWhenItIsClosed() throws Exception {
    table.hold();
    CompletableFuture<CallerProfile> waiting = ask("alice");
    directory.close();
    assertFalse(waiting.get(1, TimeUnit.MINUTES).isCurrent());
    assertTrue(ask("bob").isDone());
  }

  @Test
  void aFailureOfQuotasAloneLeavesTiersAndTheLastKnownQuota() throws Exception {
    table.put("alice", "premium");
    QuotaAccount quota = known("alice").quota().orElseThrow();
    table.failsForQuotas = true;
    table.put("alice", "gold");
    directory.drop(List.of("alice"));
    try (LogLines log = new LogLines()) {
      CallerProfile now = known("alice");
      assertEquals(Optional.of("gold"), now.tier(NOW));
      assertTrue(now.isCurrent());
      assertFalse(now.isQuotaCurrent());
      assertSame(quota, now.quota().orElseThrow());
      assertEquals("-", tier("bob"));
      assertEquals(1, log.containing("quotas can't be read").size(), "logged once");
    }
    table.failsForQuotas = false;
    directory.drop(List.of("alice"));
    assertTrue(known("alice").isQuotaCurrent());
  }

  private CompletableFuture<CallerProfile> askForQuota(String user) {
    return directory
        .find(CallerId.user(user), any -> true, last -> last.quota().isPresent())
        .toCompletableFuture();
  }

  @Test
  void aRequestThatNeedsAQuotaWaitsLongerUnlessItsFiguresAreKnown() throws Exception {
    directory.close();
    directory = new CallerProfileCache(table, 1_000, SOON, NEVER, ticker);
    table.put("alice", "premium");
    assertTrue(askForQuota("alice").get(1, TimeUnit.MINUTES).isQuotaCurrent());
    directory.drop(List.of("alice"));
    table.hold();
    CompletableFuture<CallerProfile> stranger = askForQuota("bob");
    CallerProfile last = askForQuota("alice").get(1, TimeUnit.MINUTES);
    assertFalse(last.isCurrent());
    assertTrue(last.quota().isPresent());
    for (int i = 0; i < 5; i++) {
      assertFalse(known("user" + i).isCurrent()); // others wait no longer
    }
    assertFalse(stranger.isDone());
    table.answer();
    assertTrue(stranger.get(1, TimeUnit.MINUTES).isQuotaCurrent());
  }

  @Test
  void noRequestWaitsForAQuotaAfterThreeThatWaitedInVain() throws Exception {
    directory.close();
    directory = new CallerProfileCache(table, 1_000, SOON, SOON, ticker);
    table.hold();
    for (int i = 0; i < 3; i++) {
      assertFalse(askForQuota("user" + i).get(1, TimeUnit.MINUTES).isQuotaCurrent());
    }
    assertTrue(askForQuota("bob").isDone(), "without waiting");
  }

  @Test
  void callersWithVeryManyOwnLimitsAreKeptAllTheSame() throws Exception {
    assertEquals(4, kept(100, 300));
  }

  @Test
  void ownLimitsBeyondTenTakeThePlaceOfACallerEach() throws Exception {
    assertEquals(50, kept(100, 10));
    assertEquals(10, kept(1_000, 109));
  }

  /** Asks for 50 callers, and returns how many of them are kept. */
  private long kept(int capacity, int ownLimits) throws Exception {
    directory.close();
    directory = directory(NEVER, capacity);
    List<OwnLimit> limits = new ArrayList<>();
    for (int i = 0; i < ownLimits; i++) {
      limits.add(new OwnLimit("rule" + i, 1, Optional.empty()));
    }
    for (int i = 0; i < 50; i++) {
      String user = "user" + i;
      table.rows.put(
          user, new UserTier(user, "gold", limits, UserState.ENFORCED, Optional.empty(), 1));
      known(user);
    }
    return directory.size();
  }
}
