package io.weir.internal.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.RegionStatus;
import io.weir.annotation.Algorithm;
import io.weir.internal.clock.NodeClock;
import io.weir.simulation.ForwardingStore;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.test.log.LogLines;
import io.weir.testkit.store.SimulatedStore;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RegionsTest {
  private static final String SECRET = "a secret of all regions";
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration WINDOW = Duration.ofMinutes(10);

  private static final NodeClock CLOCK =
      new NodeClock(new VirtualClock(new VirtualTime(Instant.EPOCH), 0, 0, 0));

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:01:00Z"));

  /** A node whose time of day is an hour behind. */
  private final VirtualClock clock = new VirtualClock(time, 0, 0, -3_600_000_000L);

  private final SimulatedStore eu = new SimulatedStore(time::now);

  /** By how much the clock of the other store is ahead, in microseconds. */
  private long ahead;

  private final SimulatedStore us = new SimulatedStore(() -> time.now() + ahead);
  private final FarStore link = new FarStore(us, time);
  private final Regions regions = regions(10_000, SECRET);
  private final LeasingStore store = regions.store();

  private Regions regions(long maxBuckets, String secret) {
    return regions(eu, maxBuckets, secret);
  }

  private Regions regions(LeasingStore own, long maxBuckets, String secret) {
    return new Regions(
        new RegionSettings("eu", RegionMode.EVENTUAL, SECOND, Map.of(), Map.of("us", "a store")),
        own,
        List.of(new Regions.Other("us", link, SECOND)),
        secret,
        maxBuckets,
        Duration.ZERO,
        clock,
        new VirtualScheduler(time, clock, Runnable::run));
  }

  /** Does as a node of the other region when it starts. */
  @BeforeEach
  void markTheOther() {
    mark(us, "us");
  }

  private static void mark(SimulatedStore store, String region) {
    new OwnMark(store, region, SECRET, "", () -> {}).keep();
  }

  private static BucketSpec.Builder spec(Algorithm algorithm) {
    return BucketSpec.builder("regions").algorithm(algorithm).window(WINDOW);
  }

  private static BucketId bucket(Algorithm algorithm) {
    return new BucketId(spec(algorithm).build(), Key.user("alice"));
  }

  private Grant take(BucketId bucket, long permits) {
    return execute(store, Claim.of(bucket, permits, 100, 100));
  }

  private static Grant execute(LeasingStore at, Claim claim) {
    return at.execute(List.of(claim)).toCompletableFuture().join().get(0).orElseThrow();
  }

  private Grant giveBack(BucketId bucket, long stamp, long permits) {
    return execute(
        store, Claim.builder(bucket, 100, 100).giveBack(new GiveBack(stamp, permits)).build());
  }

  private long left(BucketId bucket) {
    return execute(us, Claim.peek(bucket, 1, 100, 100)).left();
  }

  private void run(int seconds) {
    time.run(Duration.ofSeconds(seconds));
  }

  /** Until half a second after a batch, which is answered. */
  private void begin() {
    regions.start();
    time.run(Duration.ofMillis(2_500));
  }

  private RegionStatus other() {
    return regions.status().get(1);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void chargesElsewhereWhatWasGrantedHereAndWhatWasSpentWithout(Algorithm algorithm) {
    regions.start();
    BucketId bucket = bucket(algorithm);
    take(bucket, 30);
    execute(store, Claim.builder(bucket, 100, 100).debt(5).build());
    run(3);
    assertEquals(65, left(bucket));
    run(3);
    assertEquals(65, left(bucket), "once");
  }

  @Test
  void doesNotReportWhatTheOwnStoreIsToldAgain() {
    regions.start();
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    take(bucket, 30);
    run(3);
    eu.wipe();
    execute(store, Claim.builder(bucket, 100, 100).debt(37).lostDebt(30).build());
    run(3);
    assertEquals(63, left(bucket), "30 and 7");
  }

  @Test
  void leavesOutBucketsOfTheRegionAndPeriods() {
    regions.start();
    BucketId own = new BucketId(spec(Algorithm.FIXED_WINDOW).ofRegion(true).build(), Key.of("a"));
    take(own, 30);
    long now = time.now();
    CalendarWindow period =
        CalendarWindow.period(
            Instant.EPOCH.plusMillis(now / 1_000 - 1_000),
            Instant.EPOCH.plusMillis(now / 1_000 + 86_400_000));
    BucketSpec month =
        BucketSpec.builder("m").algorithm(Algorithm.FIXED_WINDOW).calendar(period).build();
    take(new BucketId(month, Key.of("a")), 30);
    run(3);
    assertEquals(0, link.debts().stream().mapToLong(Long::longValue).sum());
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void takesOffWhatComesBackBeforeItIsReportedAndGivesBackElsewhereWhatComesLater(
      Algorithm algorithm) {
    BucketId bucket = bucket(algorithm);
    Grant grant = take(bucket, 30);
    giveBack(bucket, grant.stamp(), 10);
    begin();
    assertEquals(80, left(bucket));
    giveBack(bucket, grant.stamp(), 8);
    run(2);
    assertEquals(88, left(bucket));
    giveBack(bucket, grant.stamp() + 77, 5);
    giveBack(bucket, grant.stamp(), 100);
    run(3);
    assertEquals(100, left(bucket), "no more than was reported");
    assertEquals(
        1, link.batches.stream().flatMap(List::stream).filter(each -> each.debt() > 0).count());
  }

  @Test
  void givesBackWhatTheOtherStoreHasChargedToSeveralStamps() {
    begin();
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    Grant first = take(bucket, 10);
    time.run(Duration.ofMillis(7_100));
    Grant second = take(bucket, 20);
    run(2);
    assertEquals(first.stamp(), second.stamp(), "ten seconds have one stamp");
    assertEquals(70, left(bucket));
    giveBack(bucket, first.stamp(), 30);
    run(3);
    assertEquals(100, left(bucket));
  }

  @Test
  void remembersWhatItHasReportedOfTheLastSixteenStamps() {
    begin();
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    List<Long> stamps = new ArrayList<>();
    for (int slot = 0; slot < 30; slot++) {
      stamps.add(take(bucket, 1).stamp());
      run(10);
    }
    assertEquals(30, stamps.stream().distinct().count());
    assertEquals(70, left(bucket));
    stamps.forEach(each -> giveBack(bucket, each, 1));
    run(3);
    assertEquals(86, left(bucket));
  }

  @Test
  void givesBackAtMostOnceWhateverBecomesOfIt() {
    regions.start();
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    Grant grant = take(bucket, 30);
    run(2);
    link.losesAnswers = true;
    giveBack(bucket, grant.stamp(), 10);
    run(3);
    link.losesAnswers = false;
    run(5);
    long backs =
        link.batches.stream()
            .flatMap(List::stream)
            .mapToLong(each -> each.giveBacks().size())
            .sum();
    assertEquals(1, backs);
    assertEquals(80, left(bucket));
  }

  @Test
  void sendsABatchAgainOnlyOnceTheStoreAnswersAgain() {
    begin();
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    link.losesCalls = true;
    take(bucket, 30);
    int before = link.batches.size();
    run(30);
    assertEquals(before + 1, link.batches.size(), "look-ups after the one that wasn't answered");
    assertTrue(link.lookUps > 5);
    assertEquals(Optional.of("no answer within 1000 ms"), other().trouble());
    link.losesCalls = false;
    run(4);
    assertEquals(70, left(bucket));
    assertEquals(0, other().reported().orElseThrow().toSeconds());
  }

  @Test
  void aLateAnswerIsAnAnswer() {
    begin();
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    link.delay = 700_000;
    Grant grant = take(bucket, 30);
    run(2);
    link.delay = 1_000;
    run(3);
    assertEquals(70, left(bucket), "not charged twice");
    giveBack(bucket, grant.stamp(), 30);
    run(3);
    assertEquals(100, left(bucket));
  }

  /** So it is where one master of a cluster stands still: the others have charged their part. */
  @Test
  void aBatchThatMayStillBeAnsweredIsNotSentAgainThoughTheStoreAnswersOthers() {
    begin();
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    link.batchTakesLonger = 1_700_000;
    take(bucket, 30);
    run(20);
    assertEquals(70, left(bucket));
  }

  /** One master of a cluster does so, and each batch with one of its buckets is answered late. */
  @Test
  void aPartThatStandsStillHoldsUpTheOthersOnlyNowAndThen() {
    begin();
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    BucketId other = new BucketId(spec(Algorithm.SLIDING_WINDOW).build(), Key.user("bob"));
    link.still = other::equals;
    int late = 0;
    for (int used = 1; used <= 60; used++) {
      take(bucket, 1);
      take(other, 1);
      run(1);
      late += left(bucket) == 100 - used ? 0 : 1;
    }
    assertTrue(late <= 10, "of 60 reports " + late + " were late");
    link.still = any -> false;
    run(12);
    assertEquals(40, left(bucket), "nothing is charged twice");
    assertEquals(40, left(other));
  }

  @Test
  void chargesTwiceRatherThanNotAtAll() {
    begin();
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    link.losesAnswers = true;
    take(bucket, 30);
    run(3);
    link.losesAnswers = false;
    run(5);
    assertEquals(40, left(bucket));
  }

  @Test
  void aBucketThatAloneIsNotAnsweredIsChargedAgainOnlyOnceItIs() {
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    BucketId other = new BucketId(spec(Algorithm.SLIDING_WINDOW).build(), Key.user("bob"));
    begin();
    link.unsure = claim -> claim.bucket().equals(bucket);
    Grant grant = take(bucket, 10);
    take(other, 10);
    run(30);
    assertEquals(90, left(bucket), "not each second again");
    assertEquals(90, left(other));
    giveBack(bucket, grant.stamp(), 3);
    link.unsure = any -> false;
    run(5);
    assertEquals(90 - 7, left(bucket));
    link.unsure = claim -> claim.debt() > 0;
    link.delay = 0;
    take(other, 1);
    store.close();
    time.run(Duration.ofMillis(1));
    assertEquals(89, left(other), "nor when it closes");
  }

  @Test
  void waitsForTheNextBatchIfTheTimeIsNotToldThere() {
    link.unsure = RegionsTest::asks;
    take(bucket(Algorithm.SLIDING_WINDOW), 30);
    regions.start();
    run(5);
    assertTrue(link.batches.size() <= 6, link.batches.size() + " batches");
  }

  private static boolean asks(Claim claim) {
    return claim.bucket().spec().equals(new RegionClock(CLOCK).question().bucket().spec());
  }

  /** In a cluster each bucket is on one of several masters, and one of them may be away. */
  @Test
  void asksAnotherPartOfTheStoreForTheTimeIfTheFirstIsAway() {
    BucketId first = new RegionClock(CLOCK).question().bucket();
    link.unsure = claim -> claim.bucket().equals(first);
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    take(bucket, 30);
    regions.start();
    run(4);
    assertEquals(70, left(bucket));
  }

  @Test
  void asksAnotherPartIfAllThatWasAskedOfTheFirstFails() {
    BucketId first = new RegionClock(CLOCK).question().bucket();
    link.fails = batch -> batch.stream().anyMatch(each -> each.bucket().equals(first));
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    take(bucket, 30);
    regions.start();
    run(4);
    assertEquals(70, left(bucket));
  }

  @Test
  void theLatestTimeOfAStoreIsNeverBeforeItsOwnWheneverItAnswered() {
    RegionClock there = new RegionClock(new NodeClock(clock));
    there.learn(Grant.otherWindow(5_000), 100, 301);
    assertEquals(5_000, there.of(200));
    for (long answeredAt = 100; answeredAt <= 301; answeredAt++) {
      assertTrue(there.latest(answeredAt) >= 5_000, "answered at " + answeredAt);
    }
    assertTrue(there.latest(100) <= 5_001);
  }

  @Test
  void asksForNoFarLeases() {
    assertTrue(eu.grantsFarLeases());
    assertFalse(store.grantsFarLeases());
  }

  @Test
  void chargesNothingToTheNextWindow() {
    begin();
    BucketId bucket = bucket(Algorithm.FIXED_WINDOW);
    link.losesCalls = true;
    take(bucket, 30);
    run(9 * 60);
    link.losesCalls = false;
    run(5);
    assertEquals(100, left(bucket), "dropped by the node");
    take(bucket, 30);
    run(2);
    long ends = Math.floorDiv(time.now(), 600_000_000L) * 600_000_000L + 600_000_000L;
    List<Long> untils =
        link.batches.stream()
            .flatMap(List::stream)
            .map(Claim::debtUntil)
            .filter(e -> e > 0)
            .toList();
    assertEquals(ends, untils.get(1), "of the store's windows, whatever this node's clock says");
  }

  @Test
  void chargesToTheWindowThatRunsThereIfItsWindowsEndAtOtherTimes() {
    ahead = 7 * 60 * 1_000_000L; // they end at minutes 3, 13 and so on
    begin();
    BucketId bucket = bucket(Algorithm.FIXED_WINDOW);
    take(bucket, 10);
    run(3);
    assertEquals(90, left(bucket));
    run(4 * 60);
    take(bucket, 20);
    run(3);
    assertEquals(80, left(bucket), "the first ones were of the window before");
    run(4 * 60 + 43);
    link.losesCalls = true;
    take(bucket, 5);
    run(10);
    link.losesCalls = false;
    run(5);
    assertEquals(75, left(bucket), "the own window has ended, but that one hasn't");
  }

  @Test
  void chargesAgainWhatTheOtherStoreIgnoredSinceItsClockWasSetForward() {
    begin();
    ahead = 3_600_000_000L;
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    take(bucket, 30);
    run(3);
    assertEquals(70, left(bucket));
    run(3);
    assertEquals(70, left(bucket), "once");
  }

  @Test
  void dropsWhatNoLongerCounts() {
    begin();
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    link.losesCalls = true;
    for (int minute = 0; minute < 15; minute++) {
      take(bucket, 4);
      run(60);
    }
    link.losesCalls = false;
    run(5);
    long left = left(bucket);
    assertTrue(left >= 100 - 11 * 4 && left <= 100 - 9 * 4, "the last ten minutes: " + left);
  }

  @Test
  void reportsAllThatABucketMayNotHaveDrainedYet() {
    begin();
    BucketId bucket =
        new BucketId(spec(Algorithm.TOKEN_BUCKET).burst(10).build(), Key.user("alice"));
    link.losesCalls = true;
    long used = 0;
    for (int i = 0; i < 5; i++) { // a full one has drained within a minute
      used += execute(store, Claim.builder(bucket, 100, 10).needed(10).build()).permits();
      run(10);
    }
    assertTrue(used > 10, used + " permits");
    int lost = link.batches.size();
    link.losesCalls = false;
    run(5);
    assertEquals(used, link.debts().stream().skip(lost).mapToLong(Long::longValue).sum());
  }

  @Test
  void reportsNothingToAStoreThatIsNotTheRegions() {
    us.wipe();
    mark(us, "ap");
    regions.start();
    take(bucket(Algorithm.SLIDING_WINDOW), 30);
    run(20);
    assertEquals(0, link.batches.size());
    String trouble = other().trouble().orElseThrow();
    assertTrue(trouble.startsWith("its store is that of 'region ap, secret "), trouble);
  }

  @Test
  void reportsNothingWithAnotherSecretOrFromAStoreOfAnotherRegion() {
    Regions strangers = regions(10_000, "another secret");
    strangers.start();
    run(5);
    assertEquals(0, link.batches.size());
    mark(eu, "us");
    regions.start();
    run(5);
    assertEquals(0, link.batches.size());
    assertTrue(regions.status().get(0).trouble().isPresent());
  }

  @Test
  void waitsForARegionThatHasNotStartedYet() {
    us.wipe();
    regions.start();
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    take(bucket, 30);
    run(5);
    assertEquals(0, link.batches.size());
    mark(us, "us");
    run(5);
    assertEquals(70, left(bucket));
  }

  @Test
  void forgetsBucketsThatNoLongerCountAlsoOfARegionThatNeverAnswers() {
    NodeClock nodeClock = new NodeClock(clock);
    RegionReports reports = new RegionReports(nodeClock, 1, 10, region -> true, Runnable::run);
    for (int i = 0; i < 100; i++) {
      BucketSpec brief = spec(Algorithm.SLIDING_WINDOW).window(SECOND).build();
      Claim claim = Claim.of(new BucketId(brief, Key.of("caller " + i)), 4, 100, 100);
      reports.count(claim, execute(eu, claim), nodeClock.micros());
      run(5);
      reports.tidy();
    }
    assertFalse(reports.hasNews(0));
    assertEquals(0, reports.dropped());
  }

  @Test
  void goesOnReportingToARegionThatHasLostItsDataAndItsMark() {
    begin();
    us.wipe();
    run(61);
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    take(bucket, 30);
    run(3);
    assertEquals(70, left(bucket), "before the region has marked it again");
    mark(us, "ap");
    run(61);
    assertTrue(other().trouble().orElseThrow().startsWith("its store is that of 'region ap, "));
    us.wipe();
    int sent = link.batches.size();
    run(10);
    assertEquals(sent, link.batches.size(), "the mark of another one was there last");
  }

  @Test
  void saysWhyNothingIsReported() {
    eu.wipe();
    Regions cutOff =
        regions(
            new ForwardingStore(eu) {
              @Override
              public CompletionStage<Optional<String>> mark(Optional<String> own) {
                return CompletableFuture.failedStage(new IOException("no route"));
              }
            },
            10_000,
            SECRET);
    try (LogLines log = new LogLines("io.weir")) {
      cutOff.start();
      run(12);
      assertEquals(List.of(), log.containing("hasn't answered"), "it wasn't asked");
    }
    assertEquals(
        Optional.of("this region's own store hasn't been found to be its own"),
        cutOff.status().get(1).trouble());
    link.failure = new CompletionException(new IOException("WRONGPASS invalid password."));
    link.refuses = true;
    begin();
    assertEquals(Optional.of("WRONGPASS invalid password"), other().trouble());
    link.failure = new IOException("no TLS, begin weir.store with rediss://");
    run(2);
    assertEquals(
        Optional.of("no TLS, begin weir.region.us.store with rediss://"), other().trouble());
    link.failure = new IOException(new ClosedChannelException());
    run(2);
    assertEquals(Optional.of("java.nio.channels.ClosedChannelException"), other().trouble());
  }

  @Test
  void sendsASignOfLifeEachInterval() {
    regions.start();
    run(10);
    int calm = link.batches.size();
    assertTrue(calm >= 9 && calm <= 11, calm + " batches");
    assertTrue(other().reported().orElseThrow().compareTo(SECOND) <= 0);
  }

  @Test
  void countsWhatItHasNoRoomFor() {
    Regions small = regions(2, SECRET);
    LeasingStore counted = small.store();
    for (String who : List.of("a", "b", "c")) {
      BucketId bucket = new BucketId(spec(Algorithm.SLIDING_WINDOW).build(), Key.of(who));
      execute(counted, Claim.of(bucket, 4, 100, 100));
    }
    assertEquals(4, small.status().get(0).dropped());
    try (LogLines log = new LogLines()) {
      small.start();
      run(70);
      assertEquals(
          List.of(
              "WARNING This node has used more buckets than weir.write-back.max-buckets = 2 since other"
                  + " regions last answered. Of the others it doesn't report what callers use, so"
                  + " there each region counts alone. Raise the setting if the heap has room."),
          log.containing("max-buckets"));
    }
    BucketId bucket = new BucketId(spec(Algorithm.SLIDING_WINDOW).build(), Key.of("d"));
    execute(counted, Claim.of(bucket, 5, 100, 100));
    assertEquals(4, small.status().get(0).dropped(), "the others have been reported");
    run(3);
    assertEquals(95, left(bucket));
  }

  @Test
  void reportsBeforeItCloses() {
    begin();
    link.delay = 0;
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    take(bucket, 30);
    assertEquals(30, other().unreported());
    store.close();
    time.run(Duration.ofMillis(1));
    assertEquals(70, left(bucket));
    assertTrue(link.isClosed);
    int sent = link.batches.size();
    run(10);
    assertEquals(sent, link.batches.size());
    assertFalse(other().trouble().isPresent());
  }

  @Test
  void aStoreThatCanOnlyBeReadHasNotAnswered() {
    link.unsure = claim -> !claim.bucket().spec().name().equals("weir.clock");
    try (LogLines log = new LogLines()) {
      regions.start();
      run(30);
      String trouble = other().trouble().orElseThrow();
      assertTrue(trouble.startsWith("its store can be read, but takes no reports: "), trouble);
      assertEquals(Optional.empty(), other().reported());
      link.unsure = any -> false;
      link.failure = new IOException("permission denied for table weir_buckets");
      link.fails = any -> true;
      run(5);
      assertEquals(Optional.of("permission denied for table weir_buckets"), other().trouble());
      link.fails = any -> false;
      take(bucket(Algorithm.SLIDING_WINDOW), 30);
      run(5);
      assertEquals(70, left(bucket(Algorithm.SLIDING_WINDOW)));
      assertTrue(other().trouble().orElseThrow().startsWith("it hasn't reported here"));
      List<String> lines = log.containing(" answer");
      assertEquals(2, lines.size(), lines::toString);
      assertTrue(lines.get(0).startsWith("WARNING Region us hasn't answered for 10 s: its store"));
      assertEquals("INFO Region us answers again", lines.get(1));
    }
  }

  @Test
  void warnsOnceOfAStoreWithoutAMarkThatAnswersNowAndThen() {
    us.wipe();
    try (LogLines log = new LogLines()) {
      regions.start();
      for (int turn = 0; turn < 20; turn++) {
        link.losesCalls = turn % 2 == 1;
        run(3);
      }
      assertEquals(1, log.containing("Nothing is reported to region us").size());
      link.losesCalls = false;
      mark(us, "us");
      run(5);
      us.wipe();
      mark(us, "ap");
      run(61);
      assertEquals(2, log.containing("Nothing is reported to region us").size(), "news");
    }
  }

  @Test
  void aSilentRegionTakesNoRoomFromThoseThatAnswer() {
    NodeClock nodeClock = new NodeClock(clock);
    boolean[] silent = new boolean[2];
    RegionReports reports =
        new RegionReports(nodeClock, 2, 2, region -> silent[region], Runnable::run);
    for (String who : List.of("a", "b", "c")) {
      use(reports, nodeClock, who);
      answerFirst(reports);
      run(2);
    }
    assertEquals(4, reports.dropped(), "of c, while both may answer soon");
    silent[1] = true;
    for (int caller = 0; caller < 10; caller++) {
      run(2);
      use(reports, nodeClock, "d" + caller);
      assertTrue(reports.hasNews(0), caller + " callers before");
      answerFirst(reports);
    }
    assertEquals(4 + 10 * 4, reports.dropped(), "of a and b, and all but the last two");
    assertEquals(8, reports.unreported(1));
    silent[0] = true;
    run(2);
    use(reports, nodeClock, "e");
    assertFalse(reports.hasNews(0), "nobody would hear of it sooner");
  }

  /** It may take a second where many buckets are held, and an answer waits for it. */
  @Test
  void roomIsNotMadeByWhoeverCounts() {
    NodeClock nodeClock = new NodeClock(clock);
    List<Runnable> later = new ArrayList<>();
    RegionReports reports = new RegionReports(nodeClock, 2, 1, region -> region == 1, later::add);
    use(reports, nodeClock, "a");
    answerFirst(reports);
    run(2);
    use(reports, nodeClock, "b");
    use(reports, nodeClock, "b");
    assertEquals(8, reports.dropped(), "both of b");
    assertEquals(1, later.size(), "once a second");
    later.get(0).run();
    assertEquals(12, reports.dropped(), "of a as well, for the silent region");
    use(reports, nodeClock, "b");
    assertEquals(12, reports.dropped());
  }

  @Test
  void whatIsUnderWayToARegionThatIsGivenUpIsCounted() {
    NodeClock nodeClock = new NodeClock(clock);
    RegionReports reports =
        new RegionReports(nodeClock, 2, 1, region -> region == 1, Runnable::run);
    use(reports, nodeClock, "a");
    use(reports, nodeClock, "a");
    answerFirst(reports);
    List<ReportedBucket.Report> out = reports.take(1, 10, any -> false);
    use(reports, nodeClock, "a");
    answerFirst(reports);
    run(2);
    use(reports, nodeClock, "b");
    assertEquals(4, reports.dropped(), "of a, since it was sent");
    out.forEach(each -> reports.unanswered(1, each));
    assertEquals(12, reports.dropped());
  }

  private void use(RegionReports reports, NodeClock nodeClock, String who) {
    BucketId id = new BucketId(spec(Algorithm.SLIDING_WINDOW).build(), Key.of(who));
    Claim claim = Claim.of(id, 4, 100, 100);
    reports.count(claim, execute(eu, claim), nodeClock.micros());
  }

  private void answerFirst(RegionReports reports) {
    reports
        .take(0, 10, any -> false)
        .forEach(each -> reports.answered(0, each, execute(us, each.claim())));
  }

  /** One that hangs may take long to close. */
  @Test
  void closesTheStoresOfAllRegionsAtOnce() {
    CyclicBarrier both = new CyclicBarrier(2);
    AtomicInteger closed = new AtomicInteger();
    List<Regions.Other> others = new ArrayList<>();
    for (String name : List.of("ap", "us")) {
      others.add(
          new Regions.Other(
              name,
              new ForwardingStore(us) {
                @Override
                public void close() {
                  try {
                    both.await(1, TimeUnit.MINUTES);
                    closed.incrementAndGet();
                  } catch (Exception alone) {
                    throw new IllegalStateException(alone);
                  }
                }
              },
              SECOND));
    }
    regions(others).store().close();
    assertEquals(2, closed.get());
  }

  @Test
  void closesTheOwnStoreAndSaysSoIfThatOfAnotherRegionCantBeClosed() {
    List<String> closed = new ArrayList<>();
    LeasingStore broken =
        new ForwardingStore(us) {
          @Override
          public void close() {
            closed.add("us");
            throw new IllegalStateException("still in use");
          }
        };
    try (LogLines log = new LogLines()) {
      regions(List.of(new Regions.Other("us", broken, SECOND))).store().close();
      assertEquals(List.of("us"), closed);
      assertEquals(1, log.containing("The store of region us can't be closed").size());
    }
  }

  private Regions regions(List<Regions.Other> others) {
    return new Regions(
        new RegionSettings("eu", RegionMode.EVENTUAL, SECOND, Map.of(), Map.of()),
        eu,
        others,
        SECRET,
        10,
        Duration.ZERO,
        clock,
        new VirtualScheduler(time, clock, Runnable::run));
  }
}
