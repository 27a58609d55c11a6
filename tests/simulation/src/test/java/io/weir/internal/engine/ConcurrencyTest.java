package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import io.weir.metrics.DecisionCounts;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConcurrencyTest {
  private static final int THREADS = 64;
  private static final Key KEY = Key.of("caller");
  private static ExecutorService threads;

  @BeforeAll
  static void start() {
    threads = Executors.newFixedThreadPool(THREADS);
  }

  @AfterAll
  static void stop() {
    threads.shutdownNow();
  }

  private static List<Decision> atOnce(int each, Supplier<Decision> request) throws Exception {
    CountDownLatch ready = new CountDownLatch(THREADS);
    List<Future<List<Decision>>> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      all.add(
          threads.submit(
              () -> {
                ready.countDown();
                ready.await();
                List<Decision> mine = new ArrayList<>();
                for (int n = 0; n < each; n++) {
                  mine.add(request.get());
                }
                return mine;
              }));
    }
    List<Decision> decisions = new ArrayList<>();
    for (Future<List<Decision>> future : all) {
      decisions.addAll(future.get());
    }
    return decisions;
  }

  private static PolicyBuilder policy(String name, long limit) {
    return Policy.builder(name).limit(limit).window(Duration.ofHours(1));
  }

  private static long admitted(List<Decision> decisions) {
    return decisions.stream().filter(Decision::admitted).count();
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void sixtyFourThreadsOnOneBucketAreAdmittedExactlyTheLimit(Algorithm algorithm) throws Exception {
    try (RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build()) {
      for (int round = 0; round < 50; round++) {
        Policy policy =
            policy("round" + round, 100)
                .algorithm(algorithm)
                .burst(algorithm == Algorithm.LEAKY_BUCKET ? 100 : 0)
                .build();
        List<Decision> all = atOnce(4, () -> limiter.tryAcquire(policy, KEY));
        assertEquals(100, admitted(all), "round " + round);
      }
    }
  }

  @Test
  void softMarksExactlyWhatIsAboveTheLimit() throws Exception {
    try (RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build()) {
      Policy soft = policy("soft", 100).mode(Mode.SOFT).exceedBy(20).build();
      List<Decision> all = atOnce(4, () -> limiter.tryAcquire(soft, KEY));
      assertEquals(120, admitted(all));
      assertEquals(20, all.stream().filter(each -> each.outcome() == Outcome.SOFT).count());
    }
  }

  @Test
  void whatIsRefusedAndRefundedInTheThrongIsAllThereAgain() throws Exception {
    try (RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build()) {
      Policy wide = policy("wide", 1_000).build();
      Policy narrow = policy("narrow", 10).build();
      List<Decision> all =
          atOnce(
              20,
              () -> {
                Decision both =
                    limiter.tryAcquire(
                        List.of(new PermitRequest(wide, KEY), new PermitRequest(narrow, KEY)));
                limiter.refund(both);
                limiter.refund(both);
                return both;
              });
      assertEquals(THREADS * 20, all.size());
      assertEquals(1_000, limiter.peek(wide, KEY).remaining());
      assertEquals(10, limiter.peek(narrow, KEY).remaining());
    }
  }

  @Test
  void aStoreInThisProcessNeedsNoThread() {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (RateLimiter limiter = RateLimiter.inProcess()) {
      Policy policy = policy("alone", 10).build();
      limiter.tryAcquireAsync(List.of(new PermitRequest(policy, KEY)));
      limiter.tryAcquire(policy, KEY);
      Set<Thread> after = new HashSet<>(Thread.getAllStackTraces().keySet());
      after.removeAll(before);
      assertTrue(after.stream().noneMatch(each -> each.getName().startsWith("weir")));
    }
  }

  @Test
  void everyDecisionIsCountedAndSomeAreTimed() throws Exception {
    DecisionCounts counts = new DecisionCounts();
    try (RateLimiter limiter = RateLimiter.builder().metrics(counts).build()) {
      Policy policy = policy("counted", 1_000).build();
      atOnce(200, () -> limiter.tryAcquire(policy, KEY));
      assertEquals(1_000, counts.of("counted").of(Outcome.ADMITTED));
      assertEquals(THREADS * 200 - 1_000, counts.of("counted").of(Outcome.REFUSED));
      assertEquals(1, counts.buckets());
    }
    assertEquals(0, counts.buckets());
    // One of 64: none of 12,800 would be a chance of one to 10^87.
    assertTrue(counts.timed() > 0 && counts.timed() < 2_000, "timed " + counts.timed());
  }
}
