package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AllOrNothingTest {
  private static final int MOST = 100;
  private static final long LIMIT = 1_000_000;
  private static final long NOW = 7;
  private static final long END = 1_000;
  private static final Key KEY = Key.of("caller");

  private final CacheContext node =
      new CacheContext(
          new NodeClock(Ticker.system()),
          new LeaseHorizon(100_000, 5_000),
          50_000,
          new OvershootAllowance(new OvershootShares(), MOST),
          new FlushQueue(1_000),
          new EvictedBacklog(MOST),
          new RecentBuckets(MOST));
  private final BucketCache entries = new BucketCache(MOST, node);
  private final AllOrNothing together = new AllOrNothing(entries);
  private final Policy first = policy("first");
  private final Policy second = policy("second");

  private static Policy policy(String name) {
    return Policy.builder(name).limit(LIMIT).window(Duration.ofMinutes(1)).build();
  }

  private static RequestTerms requestTerms(Policy policy, long permits) {
    return new RequestTerms(policy, permits, LIMIT, LIMIT, LIMIT, 0);
  }

  private Lease lease(Policy policy, long permits) {
    BucketRequest wish =
        new BucketRequest(requestTerms(policy, 1), new BucketId(policy.spec(), KEY), false);
    Lease lease = new Lease(3, END, permits);
    entries.of(wish).lease(lease);
    return lease;
  }

  private @Nullable List<Decision> decide(RequestTerms one, RequestTerms other, long now) {
    return together.decide(List.of(one, other), List.of(KEY, KEY), now);
  }

  @Test
  void spendsOfEveryLease() {
    Lease one = lease(first, 5);
    Lease other = lease(second, 3);
    List<Decision> parts = decide(requestTerms(first, 2), requestTerms(second, 1), NOW);
    assertNotNull(parts);
    assertEquals(List.of(first, second), parts.stream().map(Decision::policy).toList());
    assertEquals(List.of(2L, 1L), parts.stream().map(Decision::permits).toList());
    assertTrue(
        parts.stream()
            .allMatch(part -> part.admitted() && RequestDecision.cast(part).stamp() == 3));
    assertEquals(3, one.permits());
    assertEquals(2, other.permits());
  }

  @Test
  void takesNothingIfOneHasTooFew() {
    Lease one = lease(first, 5);
    lease(second, 3);
    assertNull(decide(requestTerms(first, 2), requestTerms(second, 4), NOW));
    assertEquals(5, one.permits());
    assertEquals(0, one.requests());
  }

  @Test
  void takesNothingIfNothingIsKnownOfOne() {
    Lease one = lease(first, 5);
    assertNull(decide(requestTerms(first, 2), requestTerms(second, 1), NOW));
    assertEquals(5, one.permits());
  }

  @Test
  void takesNothingOnceASlotIsOver() {
    Lease one = lease(first, 5);
    lease(second, 5);
    assertNull(decide(requestTerms(first, 2), requestTerms(second, 1), END));
    assertEquals(5, one.permits());
  }

  @Test
  void takesNothingWhereOthersHaveWaitedLonger() {
    Lease one = lease(first, 5);
    lease(second, 5);
    entries.find(second.spec(), KEY).crowded(true);
    assertNull(decide(requestTerms(first, 2), requestTerms(second, 1), NOW));
    assertEquals(5, one.permits());
  }

  @Test
  void putsBackWhatItSpentIfALaterOneHasTooFewAfterAll() {
    Lease one = lease(first, 5); // which is enough for either of them
    assertNull(decide(requestTerms(first, 3), requestTerms(first, 3), NOW));
    assertEquals(5, one.permits());
    assertEquals(0, one.used());
    assertEquals(0, one.requests());
  }

  @Test
  void noPermitIsLostOrMadeAmongThreads() throws Exception {
    Lease plenty = lease(first, 100_000);
    Lease scarce = lease(second, 1_000);
    AtomicInteger admitted = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    CountDownLatch gate = new CountDownLatch(1);
    for (int i = 0; i < 4; i++) {
      RequestTerms one = requestTerms(i % 2 == 0 ? first : second, 1);
      RequestTerms other = requestTerms(i % 2 == 0 ? second : first, 1);
      threads.submit(
          () -> {
            gate.await();
            for (int request = 0; request < 1_000; request++) {
              admitted.addAndGet(decide(one, other, NOW) == null ? 0 : 1);
            }
            return null;
          });
    }
    gate.countDown();
    threads.shutdown();
    assertTrue(threads.awaitTermination(20, TimeUnit.SECONDS));
    assertEquals(1_000, admitted.get());
    assertEquals(0, scarce.permits());
    assertEquals(99_000, plenty.permits());
    assertEquals(1_000, plenty.used());
  }
}
