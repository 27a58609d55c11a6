package io.weir.internal.engine;

import static io.weir.testkit.DecisionAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimiter;
import io.weir.Reason;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.Priority;
import io.weir.annotation.Scope;
import io.weir.internal.engine.TroubledStore.Trouble;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.internal.region.RegionShares;
import io.weir.seeds.Seeds;
import io.weir.store.PermitStore;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Regions that divide limits: each counts its part alone, and together they admit the limit. */
class RegionPartsTest {
  private static final Map<String, Integer> SHARES =
      new TreeMap<>(Map.of("eu", 45, "us", 35, "ap", 20));
  private static final Duration WINDOW = Duration.ofSeconds(10);

  private final FakeTicker ticker = new FakeTicker();
  private final VirtualTime background = new VirtualTime(FakeTicker.START);
  private final Map<String, TroubledStore> stores = new TreeMap<>();
  private final Map<String, RateLimiter> regions = new TreeMap<>();
  private double load;

  RegionPartsTest() {
    SHARES.forEach(
        (region, share) -> {
          TroubledStore store = new TroubledStore(ticker);
          stores.put(region, store);
          regions.put(region, limiter(region, store));
        });
  }

  private RateLimiter limiter(String region, PermitStore store) {
    return new DefaultRateLimiterBuilder()
        .regionShares(RegionShares.of(region, SHARES))
        .store(store)
        .ticker(ticker)
        .scheduler(new VirtualScheduler(background))
        .loadSensor(() -> load)
        .build();
  }

  @AfterEach
  void close() {
    regions.values().forEach(RateLimiter::close);
  }

  private static PolicyBuilder policy(long limit) {
    return Policy.builder("p").limit(limit).window(WINDOW);
  }

  /** Returns the permits that a region admits at once. */
  private static long drain(RateLimiter region, Policy policy, Key key) {
    long admitted = 0;
    while (region.tryAcquire(policy, key).admitted()) {
      admitted++;
    }
    return admitted;
  }

  private long drainAll(Policy policy, Key key) {
    return regions.values().stream().mapToLong(each -> drain(each, policy, key)).sum();
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void togetherTheyAdmitTheLimit(Algorithm algorithm) {
    for (long limit : List.of(5L, 7L, 13L, 100L)) {
      Policy policy =
          policy(limit)
              .algorithm(algorithm)
              .burst(algorithm == Algorithm.LEAKY_BUCKET ? limit : 0)
              .build();
      for (int i = 0; i < 20; i++) {
        assertEquals(limit, drainAll(policy, Key.of(limit + " " + i)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Trouble.class,
      names = {"FAILS", "THROWS"})
  void togetherTheyAdmitTheLimitWhileOneIsCutOffFromItsStore(Trouble trouble) {
    stores.get("us").trouble = trouble;
    for (int i = 0; i < 20; i++) {
      Key key = Key.of("caller" + i);
      assertEquals(13, drainAll(policy(13).build(), key));
      assertTrue(regions.get("us").tryAcquire(policy(13).build(), key).degraded());
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void togetherTheyAdmitTheLimitOfWhichAPartIsReservedWhateverIsCutOff(Algorithm algorithm) {
    for (int percent : List.of(10, 50, 90)) {
      SHARES.keySet().forEach(each -> stores.put(each, new TroubledStore(ticker)));
      List<RateLimiter> nodes = new ArrayList<>(reserving(percent));
      nodes.addAll(reserving(percent)); // the second of each region, on its store
      ticker.advance(WINDOW.multipliedBy(100)); // each has its share of the reserve
      for (long limit : List.of(5L, 7L, 13L, 100L)) {
        Policy policy =
            policy(limit)
                .algorithm(algorithm)
                .burst(algorithm == Algorithm.LEAKY_BUCKET ? limit : 0)
                .build();
        for (int i = 0; i < 20; i++) {
          Key key = Key.of(percent + " of " + limit + " " + i);
          long admitted = nodes.stream().mapToLong(each -> drain(each, policy, key)).sum();
          stores.values().forEach(each -> each.trouble = Trouble.FAILS);
          admitted += nodes.stream().mapToLong(each -> drain(each, policy, key)).sum();
          stores.values().forEach(each -> each.trouble = Trouble.NONE);
          admitted += nodes.stream().mapToLong(each -> drain(each, policy, key)).sum();
          assertTrue(admitted <= limit && admitted >= limit - 6, admitted + " of " + limit);
        }
      }
      nodes.forEach(RateLimiter::close);
    }
  }

  private List<RateLimiter> reserving(int percent) {
    return SHARES.keySet().stream()
        .<RateLimiter>map(
            region ->
                new DefaultRateLimiterBuilder()
                    .regionShares(RegionShares.of(region, SHARES))
                    .store(stores.get(region))
                    .ticker(ticker)
                    .reserve(percent)
                    .nodes(2)
                    .build())
        .toList();
  }

  @Test
  void togetherTheyAdmitTheLimitOfADayAndWhatFailuresLeave() {
    Policy day = policy(11).algorithm(Algorithm.FIXED_WINDOW).window(1, ChronoUnit.DAYS).build();
    Policy strict = policy(12).algorithm(Algorithm.TOKEN_BUCKET).refill(12).strict(true).build();
    Policy logins =
        policy(13)
            .count(Count.FAILURES)
            .clearOn(ClearOn.SUCCESS)
            .by(By.KEY)
            .keys("form:user")
            .build();
    regions.replaceAll((region, closed) -> limiter(region, new InProcessStore(ticker, 1_000)));
    for (int i = 0; i < 50; i++) {
      Key key = Key.of("caller" + i);
      assertEquals(11, drainAll(day, key));
      assertEquals(12, drainAll(strict, key));
      assertEquals(13, drainAll(logins, key));
    }
    ticker.advance(WINDOW.plusSeconds(1));
    for (int i = 0; i < 50; i++) {
      Key key = Key.of("caller" + i);
      assertEquals(0, drainAll(day, key));
      assertEquals(12, drainAll(strict, key));
      assertEquals(13, drainAll(logins, key));
    }
  }

  /** As a rule may change it while nodes run. */
  @Test
  void aChangeOfScopeKeepsTheCount() {
    Policy all = policy(100).build();
    Policy each = policy(100).scope(Scope.REGION).build();
    Key key = Key.of("a");
    assertEquals(100, drainAll(all, key));
    assertEquals(200, drainAll(each, key), "what is left of three limits");
    assertEquals(0, drainAll(all, key));
    ticker.advance(WINDOW);
    ticker.advance(WINDOW);
    assertEquals(300, drainAll(each, key));
    assertEquals(0, drainAll(all, key));
  }

  @Test
  void burstAndRefillAreDividedToo() {
    Policy burst = policy(100).algorithm(Algorithm.TOKEN_BUCKET).burst(23).build();
    assertEquals(23, drainAll(burst, Key.of("a")));
    Policy refill = policy(20).algorithm(Algorithm.TOKEN_BUCKET).refill(7).build();
    regions.replaceAll((region, closed) -> limiter(region, new InProcessStore(ticker, 100)));
    assertEquals(20, drainAll(refill, Key.of("a")));
    ticker.advance(WINDOW);
    assertEquals(7, drainAll(refill, Key.of("a")));
    ticker.advance(WINDOW);
    assertEquals(7, drainAll(refill, Key.of("a")));
  }

  @Test
  void eachPartIsTheShareWithinAPermit() {
    long more = 0;
    for (int i = 0; i < 200; i++) {
      Decision first = regions.get("eu").tryAcquire(policy(10).build(), Key.of("caller" + i));
      assertTrue(first.limit() == 4 || first.limit() == 5, first.describe());
      assertEquals(first.limit() - 1, first.remaining());
      more += first.limit() == 5 ? 1 : 0;
    }
    assertTrue(more > 60 && more < 140, "half of the callers: " + more);
  }

  @Test
  void limitsOfEachRegionStayWhole() {
    assertEquals(30, drainAll(policy(10).scope(Scope.REGION).build(), Key.of("a")));
  }

  @Test
  void whatIsRefundedIsTheSamePart() {
    RateLimiter eu = regions.get("eu");
    Policy policy = policy(10).build();
    Key key = Key.of("a");
    List<Decision> taken = new ArrayList<>();
    for (Decision next = eu.tryAcquire(policy, key); next.admitted(); ) {
      taken.add(next);
      next = eu.tryAcquire(policy, key);
    }
    taken.forEach(eu::refund);
    assertEquals(taken.size(), stores.get("eu").last.get(0).effectiveLimit());
    assertEquals(taken.size(), drain(eu, policy, key));
    PermitRequest request = new PermitRequest(policy, key);
    assertThat(eu.peek(request)).hasLimit(taken.size()).hasRemaining(0);
    assertThat(InternalRateLimiter.of(eu).unasked(policy, request).build())
        .hasLimit(taken.size())
        .hasRemaining(0);
  }

  @Test
  void theTermsOfAnotherRegionAreThoseOfItsPart() {
    Policy policy = policy(10).build();
    for (int i = 0; i < 20; i++) {
      Key key = Key.of("caller " + i);
      Decision here = regions.get("eu").peek(new PermitRequest(policy, key));
      long all = 0;
      for (String region : SHARES.keySet()) {
        long part =
            InternalRateLimiter.of(regions.get("eu"))
                .termsInRegion(here, RegionShares.of(region, SHARES))
                .limit();
        assertEquals(regions.get(region).peek(new PermitRequest(policy, key)).limit(), part);
        all += part;
      }
      assertEquals(10, all);
    }
  }

  /** As of a banned caller, whose tier came later. */
  @Test
  void aDecisionThatIsMadeWithoutAskingMayHaveAPartOfNothing() {
    Policy one = policy(1).build();
    int without = 0;
    for (RateLimiter each : regions.values()) {
      Decision made =
          InternalRateLimiter.of(each).unasked(one, new PermitRequest(one, Key.of("a"))).build();
      without += made.limit() == 0 ? 1 : 0;
    }
    assertEquals(2, without);
  }

  @Test
  void modesBeginWithThePart() {
    Policy soft = policy(100).mode(Mode.SOFT).exceedBy(20).build();
    assertEquals(120, drainAll(soft, Key.of("a")));
    load = 1;
    Policy elastic = Policy.builder("elastic").limit(100).window(WINDOW).mode(Mode.ELASTIC).build();
    assertEquals(49, drainAll(elastic, Key.of("a")), "half of each part, rounded down");
    Policy low = Policy.builder("low").limit(100).window(WINDOW).priority(Priority.LOW).build();
    assertEquals(0, drainAll(low, Key.of("a")));
    Decision busy = regions.get("eu").tryAcquire(low, Key.of("a"));
    assertThat(busy).refusedBecause(Reason.REDUCED_CAPACITY).hasLimit(45);
    assertFalse(busy.neverAdmitted());
  }

  /** Tiers, rules and policies of code aren't known at the start. */
  @Test
  void aPartOfNothingIsNeverAdmittedAndWarnedOfOnce() {
    Logger log = Logger.getLogger("io.weir");
    List<String> lines = new ArrayList<>();
    Handler handler = handler(lines);
    log.addHandler(handler);
    try {
      long admitted = 0;
      for (int i = 0; i < 100; i++) {
        Policy one = policy(1).build();
        Key key = Key.of("caller" + i);
        for (RateLimiter region : regions.values()) {
          Decision decision = region.tryAcquire(one, key);
          if (decision.admitted()) {
            admitted++;
            assertThat(decision).hasLimit(1);
          } else {
            assertThat(decision)
                .refusedBecause(Reason.COST_ABOVE_LIMIT)
                .hasLimit(0)
                .hasRemaining(0);
            assertTrue(decision.neverAdmitted());
            assertTrue(region.tryAcquire(one, key, 0).admitted());
            region.charge(one, key, 1);
          }
        }
      }
      assertEquals(100, admitted, "one region admits each caller");
      assertEquals(List.of(), lines, "no request waits for the log");
      background.run(Duration.ofSeconds(1));
      assertEquals(3, lines.size(), lines::toString);
      assertTrue(
          lines.stream()
              .anyMatch(
                  each -> each.startsWith("Policy p admits nothing to some callers in region ap:")),
          lines::toString);
    } finally {
      log.removeHandler(handler);
    }
  }

  private static Handler handler(List<String> lines) {
    return new Handler() {
      @Override
      public synchronized void publish(LogRecord line) {
        lines.add(line.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void whatCostsMoreThanThePartIsNeverAdmitted() {
    Decision dear = regions.get("ap").tryAcquire(policy(100).build(), Key.of("a"), 21);
    assertThat(dear).refusedBecause(Reason.COST_ABOVE_LIMIT).hasLimit(20);
    assertTrue(regions.get("eu").tryAcquire(policy(100).build(), Key.of("a"), 21).admitted());
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"SLIDING_WINDOW", "SLIDING_LOG", "TOKEN_BUCKET", "LEAKY_BUCKET"})
  void demandThatMovesIsNeverAdmittedBeyondTheLimit(Algorithm algorithm) {
    Seeds.each(10, random -> admitMoving(algorithm, random));
  }

  private void admitMoving(Algorithm algorithm, Random random) {
    boolean hasBurst = algorithm == Algorithm.LEAKY_BUCKET || algorithm == Algorithm.TOKEN_BUCKET;
    long limit = 8L + random.nextInt(60);
    long burst = hasBurst ? 5L + random.nextInt(40) : 0;
    Policy policy =
        Policy.builder("moving" + random.nextInt())
            .limit(limit)
            .window(WINDOW)
            .algorithm(algorithm)
            .burst(burst)
            .build();
    Key key = Key.of("caller");
    List<RateLimiter> all = List.copyOf(regions.values());
    Deque<Long> admitted = new ArrayDeque<>();
    double level = 0;
    long last = ticker.nanoTime();
    for (int step = 0; step < 1_500; step++) {
      int focus = step / 300 % all.size();
      int which = random.nextInt(10) < 8 ? focus : random.nextInt(all.size());
      ticker.advance(Duration.ofMillis(random.nextInt(step / 150 % 2 == 0 ? 10 : 400)));
      if (!all.get(which).tryAcquire(policy, key).admitted()) {
        continue;
      }
      long now = ticker.nanoTime();
      admitted.add(now);
      while (admitted.getFirst() <= now - WINDOW.toNanos()) {
        admitted.removeFirst();
      }
      level = Math.max(0, level - (double) limit * (now - last) / WINDOW.toNanos()) + 1;
      last = now;
      if (hasBurst) {
        assertTrue(level <= burst + 1e-6, "a level of " + level + " of " + burst);
      } else {
        assertTrue(admitted.size() <= limit, admitted.size() + " of " + limit);
      }
    }
  }
}
