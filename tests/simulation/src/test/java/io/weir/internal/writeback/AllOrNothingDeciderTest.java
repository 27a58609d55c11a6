package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.writeback.debt.OvershootAllowance;
import io.weir.internal.writeback.debt.OvershootShareHistory;
import io.weir.internal.writeback.lease.Lease;
import io.weir.internal.writeback.lease.LeaseHorizon;
import io.weir.internal.writeback.lease.Leases;
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

class AllOrNothingDeciderTest {
  private static final int MAX = 100;
  private static final long LIMIT = 1_000_000;
  private static final long NOW = 7;
  private static final long END = 1_000;
  private static final Key KEY = Key.of("caller");

  private final NodeClock clock = new NodeClock(Ticker.system());
  private final CacheContext context =
      new CacheContext(
          clock,
          new LeaseHorizon(100_000, 5_000, true),
          new ExtendableTimeout(clock::micros, 50_000),
          new OvershootAllowance(new OvershootShareHistory(), MAX),
          new FlushQueue<>(1_000, FlushableBucket::isGone),
          new EvictedBacklogLimit(MAX));
  private final BucketLookupTable recent = new BucketLookupTable(MAX);
  private final BucketCache buckets = new BucketCache(MAX, context, recent);
  private final AllOrNothingDecider allOrNothing = new AllOrNothingDecider(buckets);
  private final Policy first = policy("first");
  private final Policy second = policy("second");

  private static Policy policy(String name) {
    return Policy.builder(name).limit(LIMIT).window(Duration.ofMinutes(1)).build();
  }

  private static RequestTerms terms(Policy policy, long permits) {
    return new RequestTerms(policy, permits, LIMIT, LIMIT, LIMIT, 0);
  }

  private Lease lease(Policy policy, long permits) {
    BucketRequest request =
        new BucketRequest(terms(policy, 1), new BucketId(policy.spec(), KEY), false);
    return Leases.put(buckets.activate(request), 3, END, permits);
  }

  private @Nullable List<Decision> decide(RequestTerms one, RequestTerms other, long now) {
    return allOrNothing.decide(List.of(one, other), List.of(KEY, KEY), now);
  }

  @Test
  void spendsOfEveryLease() {
    Lease one = lease(first, 5);
    Lease other = lease(second, 3);
    List<Decision> parts = decide(terms(first, 2), terms(second, 1), NOW);
    assertNotNull(parts);
    assertEquals(List.of(first, second), parts.stream().map(Decision::policy).toList());
    assertEquals(List.of(2L, 1L), parts.stream().map(Decision::permits).toList());
    assertTrue(
        parts.stream()
            .allMatch(part -> part.admitted() && RequestDecision.cast(part).stamp() == 3));
    assertEquals(3, Leases.permits(one));
    assertEquals(2, Leases.permits(other));
  }

  @Test
  void takesNothingIfOneHasTooFew() {
    Lease one = lease(first, 5);
    lease(second, 3);
    assertNull(decide(terms(first, 2), terms(second, 4), NOW));
    assertEquals(5, Leases.permits(one));
    assertEquals(0, Leases.requests(one));
  }

  @Test
  void takesNothingIfNothingIsKnownOfOne() {
    Lease one = lease(first, 5);
    assertNull(decide(terms(first, 2), terms(second, 1), NOW));
    assertEquals(5, Leases.permits(one));
  }

  @Test
  void takesNothingOnceASlotIsOver() {
    Lease one = lease(first, 5);
    lease(second, 5);
    assertNull(decide(terms(first, 2), terms(second, 1), END));
    assertEquals(5, Leases.permits(one));
  }

  @Test
  void takesNothingWhereOthersHaveWaitedLonger() {
    Lease one = lease(first, 5);
    lease(second, 5);
    Leases.letWait((ActiveBucket) buckets.find(second.spec(), KEY));
    assertNull(decide(terms(first, 2), terms(second, 1), NOW));
    assertEquals(5, Leases.permits(one));
  }

  @Test
  void putsBackWhatItSpentIfALaterOneHasTooFewAfterAll() {
    Lease one = lease(first, 5); // which is enough for either of them
    assertNull(decide(terms(first, 3), terms(first, 3), NOW));
    assertEquals(5, Leases.permits(one));
    assertEquals(0, Leases.used(one));
    assertEquals(0, Leases.requests(one));
  }

  @Test
  void noPermitIsLostOrMadeAmongThreads() throws Exception {
    Lease plenty = lease(first, 100_000);
    Lease scarce = lease(second, 1_000);
    AtomicInteger admitted = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    CountDownLatch gate = new CountDownLatch(1);
    for (int i = 0; i < 4; i++) {
      RequestTerms one = terms(i % 2 == 0 ? first : second, 1);
      RequestTerms other = terms(i % 2 == 0 ? second : first, 1);
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
    assertTrue(threads.awaitTermination(120, TimeUnit.SECONDS));
    assertEquals(1_000, admitted.get());
    assertEquals(0, Leases.permits(scarce));
    assertEquals(99_000, Leases.permits(plenty));
    assertEquals(1_000, Leases.used(plenty));
  }
}
