package io.weir.internal.inprocess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.simulation.oracle.Bound;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Beyond its bound a store that counts each bucket refuses too much at times, never too little. */
class OverflowSketchTest {
  private static final long MINUTE = 60_000_000;
  private static final int FEW = 4;
  private static final int MANY = 64;
  private static final int GROUPS = 256;

  private final FakeTicker ticker = new FakeTicker();
  private final AtomicInteger reports = new AtomicInteger();

  private InProcessStore store(int maxBuckets) {
    return new InProcessStore(ticker, maxBuckets, GROUPS, MANY, 7);
  }

  private void pass(long micros) {
    ticker.advance(Duration.of(micros, ChronoUnit.MICROS));
  }

  /** The permits that one key was granted and hasn't given back. */
  private record Spent(long time, long permits) {}

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void neverCountsTooLittleHoweverManyShareItsCells(Algorithm algorithm) {
    Seeds.each(6, random -> check(spec(algorithm).build(), Optional.empty(), random));
  }

  @Test
  void neverCountsTooLittleInWindowsOfTheCalendar() {
    CalendarWindow days = CalendarWindow.of(1, ChronoUnit.DAYS, ZoneOffset.ofHours(5));
    BucketSpec spec =
        BucketSpec.builder("test").algorithm(Algorithm.FIXED_WINDOW).calendar(days).build();
    Seeds.each(4, random -> check(spec, Optional.of(days), random));
  }

  @Test
  void neverCountsTooLittleWhereRefillsComeAtOnce() {
    Seeds.each(
        4,
        random ->
            check(spec(Algorithm.TOKEN_BUCKET).refill(true).build(), Optional.empty(), random));
  }

  private static BucketSpec.Builder spec(Algorithm algorithm) {
    return BucketSpec.builder("test").algorithm(algorithm).window(Duration.ofMinutes(1));
  }

  private void check(BucketSpec spec, Optional<CalendarWindow> calendar, Random random) {
    int limit = spec.hasRefill() ? 2 : 1 + random.nextInt(12);
    boolean hasBurst = BucketSpec.hasBurst(spec.algorithm());
    int burst = hasBurst ? Math.max(spec.hasRefill() ? limit : 1, 1 + random.nextInt(20)) : limit;
    InProcessStore store =
        new InProcessStore(ticker, 1 + random.nextInt(4), 2, FEW, random.nextLong());
    Map<String, List<Spent>> spent = new HashMap<>();
    long window = spec.windowMicros();
    for (int i = 0; i < 4_000; i++) {
      long pause = random.nextInt(8) == 0 ? random.nextLong(window) : random.nextLong(window / 100);
      pass(random.nextInt(3) == 0 ? pause : 0);
      String key = "key " + random.nextInt(30);
      BucketId bucket = new BucketId(spec, Key.of(key));
      long permits = 1L + random.nextInt(3);
      Grant grant = execute(store, Claim.of(bucket, permits, limit, burst));
      if (grant.permits() > 0) {
        spent.computeIfAbsent(key, none -> new ArrayList<>()).add(new Spent(now(), permits));
        if (random.nextInt(5) == 0) {
          List<GiveBack> back = List.of(new GiveBack(grant.stamp(), permits));
          pass(random.nextBoolean() ? 0 : random.nextLong(window / 2));
          execute(store, Claim.builder(bucket, limit, burst).giveBacks(back).build());
          spent.get(key).remove(spent.get(key).size() - 1);
        }
      }
    }
    Bound bound = new Bound(spec.algorithm(), window, limit, burst, 0, calendar, rate(spec, limit));
    spent.forEach((key, all) -> assertEquals(0, excess(bound, all), key));
    assertFalse(spent.isEmpty());
  }

  private static long rate(BucketSpec spec, long limit) {
    return spec.hasRefill() ? limit : 0;
  }

  private static long excess(Bound bound, List<Spent> all) {
    return bound.excess(
        all.stream().mapToLong(Spent::time).toArray(),
        all.stream().mapToLong(Spent::permits).toArray());
  }

  private long now() {
    return ticker.epochMicros();
  }

  private static Grant execute(InProcessStore store, Claim claim) {
    return store.execute(List.of(claim)).toCompletableFuture().join().get(0).orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aCallerThatUsedNothingHasItsWholeLimitAndNoMore(Algorithm algorithm) {
    BucketSpec spec = spec(algorithm).build();
    InProcessStore store = store(100);
    store.whenFull(reports::incrementAndGet);
    for (int i = 0; i < 600; i++) {
      BucketId bucket = new BucketId(spec, Key.of("key " + i));
      assertEquals(5, execute(store, Claim.of(bucket, 5, 5, 5)).permits(), "key " + i);
      Grant refused = execute(store, Claim.of(bucket, 1, 5, 5));
      assertEquals(0, refused.permits());
      assertEquals(0, refused.left());
      assertTrue(refused.retry() > 0 && refused.retry() <= 2 * MINUTE, refused.toString());
    }
    assertEquals(100, store.size());
    assertEquals(1, reports.get(), "reported once");
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void whoComesBackAloneWhenToldIsAdmitted(Algorithm algorithm) {
    BucketSpec spec = spec(algorithm).build();
    InProcessStore store = store(1);
    execute(store, Claim.of(new BucketId(spec, Key.of("first")), 5, 5, 5));
    BucketId bucket = new BucketId(spec, Key.of("second"));
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      pass(random.nextInt(20_000_000));
      long permits = 1L + random.nextInt(5);
      execute(store, Claim.of(new BucketId(spec, Key.of("first")), 5, 5, 5)); // keeps its slot
      Grant grant = execute(store, Claim.of(bucket, permits, 5, 5));
      if (grant.permits() == 0) {
        pass(grant.retry());
        assertEquals(permits, execute(store, Claim.of(bucket, permits, 5, 5)).permits());
      }
    }
  }

  @Test
  void whatIsGivenBackMayBeTakenAgain() {
    BucketSpec spec = spec(Algorithm.SLIDING_WINDOW).build();
    InProcessStore store = store(1);
    execute(store, Claim.of(new BucketId(spec, Key.of("first")), 5, 5, 5));
    BucketId bucket = new BucketId(spec, Key.of("second"));
    Grant grant = execute(store, Claim.of(bucket, 5, 5, 5));
    List<GiveBack> back = List.of(new GiveBack(grant.stamp(), 3));
    assertEquals(3, execute(store, Claim.builder(bucket, 5, 5).giveBacks(back).build()).left());
    assertEquals(3, execute(store, Claim.of(bucket, 3, 5, 5)).permits());
    pass(2 * MINUTE);
    execute(store, Claim.builder(bucket, 5, 5).giveBacks(back).build()); // too late
    assertEquals(5, execute(store, Claim.of(bucket, 5, 5, 5)).permits());
  }

  @Test
  void aStrictBucketBeginsItsWaitAnewWithEachRefusal() {
    BucketSpec spec = spec(Algorithm.TOKEN_BUCKET).refill(true).strict(true).build();
    InProcessStore store = store(1);
    execute(store, Claim.of(new BucketId(spec, Key.of("first")), 5, 1, 5));
    BucketId bucket = new BucketId(spec, Key.of("second"));
    assertEquals(5, execute(store, Claim.of(bucket, 5, 1, 5)).permits());
    for (int i = 0; i < 5; i++) {
      pass(MINUTE - 1);
      assertEquals(0, execute(store, Claim.of(bucket, 1, 1, 5)).permits());
    }
    pass(MINUTE);
    assertEquals(1, execute(store, Claim.of(bucket, 1, 1, 5)).permits());
  }

  @Test
  void aBucketIsGivenBackWhatCannotHaveComeBackSince() {
    BucketSpec spec = spec(Algorithm.TOKEN_BUCKET).build();
    InProcessStore store = store(1);
    execute(store, Claim.of(new BucketId(spec, Key.of("first")), 6, 6, 6));
    BucketId bucket = new BucketId(spec, Key.of("second"));
    Grant grant = execute(store, Claim.of(bucket, 6, 6, 6));
    pass(1_000);
    List<GiveBack> four = List.of(new GiveBack(grant.stamp(), 4));
    // The limit is another by now: each of six permits took ten seconds all the same.
    execute(store, Claim.builder(bucket, 1, 6).giveBacks(four).build());
    pass(100_000); // nine binary digits are exact to 0.2 %
    assertEquals(4, execute(store, Claim.peek(bucket, 1, 6, 6)).left());
    pass(MINUTE);
    execute(store, Claim.of(bucket, 6, 6, 6));
    execute(store, Claim.builder(bucket, 6, 6).giveBacks(four).build()); // too late
    assertEquals(0, execute(store, Claim.peek(bucket, 1, 6, 6)).left());
  }

  /** The percentage of its limit that a caller gets at an even pace, at least. */
  private static int evenly(Algorithm algorithm) {
    return switch (algorithm) {
      case SLIDING_WINDOW, SLIDING_LOG -> 80;
      case FIXED_WINDOW, TOKEN_BUCKET, LEAKY_BUCKET -> 100;
    };
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void anEvenPaceIsAdmittedAsFarAsTheDocsSay(Algorithm algorithm) {
    BucketSpec spec = spec(algorithm).build();
    InProcessStore store = store(1);
    execute(store, Claim.of(new BucketId(spec, Key.of("first")), 100, 100, 100));
    BucketId bucket = new BucketId(spec, Key.of("second"));
    int burst = algorithm == Algorithm.LEAKY_BUCKET ? 1 : 100;
    for (int i = 0; i < 2_000; i++) {
      pass((MINUTE + evenly(algorithm) - 1) / evenly(algorithm));
      execute(store, Claim.of(new BucketId(spec, Key.of("first")), 100, 100, 100));
      assertEquals(1, execute(store, Claim.of(bucket, 1, 100, burst)).permits(), "after " + i);
    }
    pass(2 * MINUTE);
    execute(store, Claim.of(new BucketId(spec, Key.of("first")), 100, 100, 100));
    for (int i = 0; i < burst; i++) { // one by one, and all of them
      assertEquals(1, execute(store, Claim.of(bucket, 1, 100, burst)).permits(), "after " + i);
    }
  }
}
