package io.weir.internal.engine;

import static io.weir.internal.engine.Leasing.KEY;
import static io.weir.internal.engine.Leasing.policy;
import static io.weir.testkit.DecisionAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.RateLimiterBuilder;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.engine.LeaseStore.Trouble;
import io.weir.metrics.DecisionCounts;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Assembles limiters over a store that leases permits, and over one that counts less. */
class LeaseWiringTest {
  private static final Policy POLICY = policy("wired", 1_000).build();

  @Test
  void closingGivesBackWhatIsLeasedAndLeaves() {
    Leasing node = new Leasing();
    assertEquals(100, node.take(POLICY, 100));
    assertTrue(node.used(POLICY) > 100, "holds a lease");
    node.close();
    node.close();
    assertEquals(100, node.used(POLICY));
    assertEquals(List.of("one"), node.store.gone);
    assertEquals(1, node.store.closes);
    assertThat(node.take(POLICY)).refused().degraded();
  }

  @Test
  void closingDoesNotWaitForAStoreThatIsAway() {
    Leasing node = new Leasing();
    node.take(POLICY, 100);
    node.store.trouble = Trouble.FAILS;
    node.close();
    assertEquals(1, node.store.closes);
  }

  @Test
  void exchangesSettlesAndFailuresAreCounted() {
    try (Leasing node = new Leasing()) {
      node.take(POLICY, 100);
      assertTrue(node.counts.exchanges() >= 11, "exchanges " + node.counts.exchanges());
      assertTrue(node.counts.storeCalls() >= 11, "calls " + node.counts.storeCalls());
      assertEquals(node.store.exchanges, node.counts.exchanges());
      assertEquals(0, node.counts.storeFailures());
      assertEquals(1, node.counts.buckets());
      node.store.trouble = Trouble.FAILS;
      node.rest();
      assertTrue(node.counts.storeFailures() > 0);
    }
  }

  @Test
  void anOutageIsOverForANodeWithoutRequestsToo() {
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler = keeping(lines);
    Logger log = Logger.getLogger("io.weir");
    log.addHandler(handler);
    try (Leasing node = new Leasing()) {
      node.take(POLICY, 50);
      node.store.trouble = Trouble.FAILS;
      node.take(POLICY, 100);
      node.rest();
      assertEquals(1, lines.size(), lines::toString);
      node.store.trouble = Trouble.NONE;
      node.rest();
      assertEquals(List.of(2, "The store answers again."), List.of(lines.size(), lines.get(1)));
    } finally {
      log.removeHandler(handler);
    }
  }

  @Test
  void oneLineForAnOutageAndOneForItsEnd() {
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler = keeping(lines);
    Logger log = Logger.getLogger("io.weir");
    log.addHandler(handler);
    try (Leasing node = new Leasing()) {
      node.take(POLICY, 50);
      assertEquals(List.of(), lines);
      for (int i = 0; i < 3; i++) {
        node.store.trouble = i == 1 ? Trouble.STALLS : Trouble.FAILS;
        node.take(POLICY, 100);
        node.rest();
      }
      assertEquals(1, lines.size(), lines::toString);
      node.store.trouble = Trouble.NONE;
      node.rest(); // an answer within a second of a failure proves nothing yet
      node.take(POLICY, 50);
      assertEquals(List.of(2, "The store answers again."), List.of(lines.size(), lines.get(1)));
    } finally {
      log.removeHandler(handler);
    }
  }

  private static Handler keeping(List<String> lines) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        lines.add(line.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void oneDaemonOfItsOwnServesFlushesAndDeadlinesAndEndsWithIt() throws Exception {
    LeaseStore store = new LeaseStore(new VirtualTime(FakeTicker.START));
    store.atOnce = true;
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    List<Thread> own;
    try (RateLimiter limiter = RateLimiter.builder().store(store).build()) {
      assertThat(limiter.tryAcquire(POLICY, KEY)).admitted().notDegraded();
      store.trouble = Trouble.STALLS;
      Policy closed = policy("closed", 9).onStoreFailure(OnStoreFailure.CLOSED).build();
      var waiting = limiter.tryAcquireAsync(List.of(new PermitRequest(closed, KEY)));
      assertThat(waiting.toCompletableFuture().get(1, TimeUnit.MINUTES)).refused().degraded();
      own =
          Thread.getAllStackTraces().keySet().stream()
              .filter(each -> !before.contains(each) && each.getName().startsWith("weir"))
              .toList();
      assertEquals(1, own.size(), own::toString);
      assertTrue(own.get(0).isDaemon());
      assertEquals(RateLimiter.class.getClassLoader(), own.get(0).getContextClassLoader());
      store.trouble = Trouble.NONE;
    }
    own.get(0).join(TimeUnit.MINUTES.toMillis(1));
    assertFalse(own.get(0).isAlive());
  }

  @Test
  void isMadeWarmWithAStoreThatAnswersAndWithoutATraceOfThat() {
    LeaseStore store = new LeaseStore(new VirtualTime(FakeTicker.START));
    store.atOnce = true;
    DecisionCounts counts = new DecisionCounts();
    try (RateLimiter limiter =
        RateLimiter.builder().store(store).nodeName("warm").metrics(counts).build()) {
      assertTrue(store.exchanges > 0, "it has rehearsed");
      assertEquals(List.of(0L, 0L), List.of(counts.exchanges(), counts.storeCalls()));
      assertEquals(0, counts.buckets());
      assertThat(limiter.tryAcquire(POLICY, KEY)).admitted().hasRemaining(999);
      assertEquals(List.of(1L, 1L), List.of(counts.exchanges(), counts.storeCalls()));
    }
    assertEquals(List.of("warm"), store.gone, "the rehearsal neither came nor went");
    assertEquals(1, store.closes);
  }

  @Test
  void aTickerOrSchedulerOfOnesOwnIsWaitedForOnlyIfThatIsAskedFor() {
    LeaseStore store = new LeaseStore(new VirtualTime(FakeTicker.START));
    store.trouble = Trouble.STALLS;
    try (RateLimiter limiter =
        RateLimiter.builder().ticker(new FakeTicker()).store(store).build()) {
      assertEquals(0, store.beats);
    }
    try (RateLimiter limiter =
        RateLimiter.builder()
            .ticker(new FakeTicker())
            .startTimeout(Duration.ofMillis(5))
            .store(store)
            .build()) {
      assertTrue(store.beats > 0);
    }
    assertThrows(
        IllegalArgumentException.class, () -> RateLimiter.builder().startTimeout(Duration.ZERO));
  }

  @Test
  void aStoreWithoutLeasesIsMeasuredAndItsLimitsAreDivided() {
    FakeTicker ticker = new FakeTicker();
    TroubledStore store = new TroubledStore(ticker);
    DecisionCounts counts = new DecisionCounts();
    Policy policy = policy("plain", 100).onStoreFailure(OnStoreFailure.LOCAL).build();
    try (RateLimiter limiter =
        RateLimiter.builder().ticker(ticker).store(store).metrics(counts).nodes(4).build()) {
      limiter.tryAcquire(policy, KEY);
      assertEquals(List.of(1L, 1L), List.of(counts.exchanges(), counts.storeCalls()));
      store.trouble = TroubledStore.Trouble.FAILS;
      for (int i = 0; i < 25; i++) {
        assertThat(limiter.tryAcquire(policy, KEY)).admitted().degraded();
      }
      assertThat(limiter.tryAcquire(policy, KEY)).refused().degraded();
      assertEquals(List.of(1L, 26L), List.of(counts.exchanges(), counts.storeFailures()));
    }
  }

  @Test
  void aPolicyThatTheStoreCannotCountByIsAMistakeOfWhoMadeIt() {
    PermitStore tokens = new Counting(EnumSet.of(Algorithm.TOKEN_BUCKET));
    try (RateLimiter limiter = RateLimiter.builder().store(tokens).build()) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> limiter.tryAcquire(POLICY, KEY))
              .getMessage();
      assertEquals("the store doesn't count buckets of wired, FIXED_WINDOW of 1 hour", message);
      Policy token = policy("token", 5).algorithm(Algorithm.TOKEN_BUCKET).build();
      assertThat(limiter.tryAcquire(token, KEY)).admitted();
    }
  }

  @Test
  void whatIsOutOfRangeIsRefusedAndTheStoreClosed() {
    for (RateLimiterBuilder wrong :
        List.of(
            RateLimiter.builder().flushInterval(Duration.ofMillis(9)),
            RateLimiter.builder().flushInterval(Duration.ofSeconds(11)),
            RateLimiter.builder().cacheBuckets(0),
            RateLimiter.builder().nodeName(""))) {
      LeaseStore store = new LeaseStore(new VirtualTime(FakeTicker.START));
      assertThrows(IllegalArgumentException.class, wrong.store(store)::build);
      assertEquals(1, store.closes);
    }
    assertThrows(IllegalArgumentException.class, () -> RateLimiter.builder().nodes(0));
  }

  /** Counts by some algorithms only. */
  private record Counting(Set<Algorithm> algorithms, PermitStore store) implements PermitStore {
    Counting(Set<Algorithm> algorithms) {
      this(algorithms, new TroubledStore(new FakeTicker()));
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return store.execute(claims);
    }

    @Override
    public long size() {
      return store.size();
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
