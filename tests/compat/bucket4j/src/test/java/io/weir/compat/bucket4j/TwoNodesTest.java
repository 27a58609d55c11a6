package io.weir.compat.bucket4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.bucket4j.Bucket4jStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two limiters on the two members of one Hazelcast cluster. */
class TwoNodesTest {
  // So long that no permit is refilled while a test runs.
  private static final Duration YEAR = Duration.ofDays(366);

  private static Members shared = Members.start(0);

  private final Key alice = Key.user("alice-" + UUID.randomUUID());
  private final List<RateLimiter> nodes = new ArrayList<>();

  @BeforeAll
  static void startMembers() {
    shared = Members.start(2);
    assertEquals(2, shared.size(), "one cluster");
  }

  @AfterAll
  static void stopMembers() {
    shared.close();
  }

  @BeforeEach
  void startNodes() {
    startNodes(shared, 2);
  }

  private void startNodes(Members members, int count) {
    for (int i = 0; i < count; i++) {
      Bucket4jStore store =
          Bucket4jStore.builder(members.manager(i), name -> name).secret("shared").build();
      nodes.add(RateLimiter.builder().store(store).storeTimeout(Duration.ofSeconds(20)).build());
    }
  }

  @AfterEach
  void stopNodes() {
    nodes.forEach(RateLimiter::close);
  }

  @Test
  void admitExactlyTheLimitTogether() throws Exception {
    Policy policy = policy(1_000, YEAR);
    CountDownLatch barrier = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<Integer>> admitted = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      RateLimiter node = nodes.get(i % 2);
      admitted.add(threads.submit(() -> admitted(node, policy, 250, barrier)));
    }
    barrier.countDown();
    int together = 0;
    for (Future<Integer> each : admitted) {
      together += each.get(60, TimeUnit.SECONDS);
    }
    threads.shutdown();
    assertEquals(1_000, together);
  }

  private int admitted(RateLimiter node, Policy policy, int times, CountDownLatch barrier)
      throws InterruptedException {
    barrier.await();
    int admitted = 0;
    for (int i = 0; i < times; i++) {
      Decision decision = node.tryAcquire(policy, alice);
      assertFalse(decision.degraded());
      admitted += decision.admitted() ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void whatOneNodeTookTheOtherRefusesAndWhatItGivesBackTheOtherAdmits() {
    Policy policy = policy(3, YEAR);
    Decision all = nodes.get(0).tryAcquire(policy, alice, 3);
    assertTrue(all.admitted());
    assertEquals(0, all.remaining());
    Decision refused = nodes.get(1).tryAcquire(policy, alice);
    assertFalse(refused.admitted());
    assertTrue(refused.retryAfter().compareTo(YEAR.dividedBy(3)) <= 0);
    nodes.get(0).refund(all);
    until(() -> nodes.get(1).peek(policy, alice).remaining() == 3);
    assertTrue(nodes.get(1).tryAcquire(policy, alice, 3).admitted());
  }

  @Test
  void aDebtOfOneNodeIsADebtOfBoth() {
    Policy policy = policy(10, YEAR);
    nodes.get(0).charge(policy, alice, 25);
    until(() -> !nodes.get(1).peek(policy, alice).admitted());
    Decision refused = nodes.get(1).tryAcquire(policy, alice);
    Duration sixteen = YEAR.multipliedBy(16).dividedBy(10);
    Duration early = sixteen.minus(refused.retryAfter());
    assertTrue(early.abs().compareTo(Duration.ofMinutes(1)) < 0, "16 tokens away: " + refused);
  }

  @Test
  void whoWaitsAsLongAsToldIsAdmittedAtTheOtherNode() {
    Policy policy = policy(1, Duration.ofMillis(70));
    for (int i = 0; i < 20; i++) {
      nodes.get(0).tryAcquire(policy, alice);
      Decision refused = nodes.get(1).tryAcquire(policy, alice);
      if (!refused.admitted()) {
        long end = System.nanoTime() + refused.retryAfter().toNanos();
        while (System.nanoTime() < end) {
          LockSupport.parkNanos(end - System.nanoTime());
        }
        assertTrue(nodes.get(1).tryAcquire(policy, alice).admitted());
      }
    }
  }

  @Test
  void theBackendIsToldNobodysName() {
    int before = shared.keys().size();
    nodes.get(0).tryAcquire(policy(10, YEAR), alice);
    assertEquals(before + 1, shared.keys().size());
    for (String key : shared.keys()) {
      assertTrue(key.matches("weir:two:[A-Za-z0-9_-]{22}"), key);
    }
  }

  @Test
  void goesOnByItselfWhenTheBackendIsGone() {
    Policy policy = policy(2, YEAR);
    try (Members own = Members.start(1)) {
      startNodes(own, 1);
      own.stop(0);
      RateLimiter cutOff = nodes.get(2);
      Decision first = cutOff.tryAcquire(policy, alice, 2);
      assertTrue(first.admitted() && first.degraded());
      assertFalse(cutOff.tryAcquire(policy, alice).admitted());
    }
  }

  private static void until(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(120), "within 120 s");
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static Policy policy(long limit, Duration window) {
    return Policy.builder("two")
        .algorithm(Algorithm.TOKEN_BUCKET)
        .limit(limit)
        .window(window)
        .build();
  }
}
