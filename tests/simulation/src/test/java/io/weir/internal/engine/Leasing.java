package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimiter;
import io.weir.RateLimiterBuilder;
import io.weir.annotation.Algorithm;
import io.weir.metrics.DecisionCounts;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A node with leases and its store, on one thread and a virtual clock.
 *
 * <p>Confine to one thread.
 */
final class Leasing implements AutoCloseable {
  static final Key KEY = Key.of("caller");
  private static final Duration MILLI = Duration.ofMillis(1);

  final VirtualTime time = new VirtualTime(FakeTicker.START);
  final LeaseStore store = new LeaseStore(time);
  final DecisionCounts counts = new DecisionCounts();
  double load;
  final RateLimiter limiter = node("one");

  RateLimiter node(String name) {
    return builder(name).build();
  }

  RateLimiterBuilder builder(String name) {
    VirtualClock clock = new VirtualClock(time, -7, 0, 0);
    return RateLimiter.builder()
        .ticker(clock)
        .scheduler(new VirtualScheduler(time, clock, Runnable::run))
        .store(store)
        .nodeName(name)
        .loadSensor(() -> load)
        .metrics(counts);
  }

  static PolicyBuilder policy(String name, long limit) {
    return Policy.builder(name)
        .limit(limit)
        .window(Duration.ofHours(1))
        .algorithm(Algorithm.FIXED_WINDOW);
  }

  Decision take(Policy... policies) {
    return take(Arrays.stream(policies).map(each -> new PermitRequest(each, KEY)).toList());
  }

  Decision take(List<PermitRequest> asks) {
    CompletableFuture<Decision> decision = limiter.tryAcquireAsync(asks).toCompletableFuture();
    // However long the store takes, no request waits longer than its time-out.
    for (int i = 0; i < 101 && !decision.isDone(); i++) {
      time.run(MILLI);
    }
    return decision.getNow(null);
  }

  /** Takes often, a millisecond apart, so that the node comes to hold a lease. */
  long take(Policy policy, int times) {
    long admitted = 0;
    for (int i = 0; i < times; i++) {
      admitted += take(policy).admitted() ? 1 : 0;
      time.run(MILLI);
    }
    return admitted;
  }

  Decision peek(Policy policy) {
    store.atOnce = true; // a peek waits, and nothing else lets time pass
    try {
      return limiter.peek(policy, KEY);
    } finally {
      store.atOnce = false;
    }
  }

  /** Long enough for everything that is idle or owed to have reached the store. */
  void rest() {
    time.run(Duration.ofSeconds(3));
  }

  long used(Policy policy) {
    return policy.limit() - store.free(policy, KEY);
  }

  @Override
  public void close() {
    store.atOnce = true;
    limiter.close();
  }
}
