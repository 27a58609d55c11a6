package io.weir.compat.cluster.node;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that each ask for a bucket of their own, and another that does nothing but count
 * how often it could run meanwhile. Safe for concurrent use.
 *
 * <p>Written for JDK 17, which has no such threads: they are started by reflection.
 */
final class Waiting {
  private static final long PAUSE_NANOS = 1_000_000;
  private static final long PATIENCE_NANOS = 120_000_000_000L;

  private final RateLimiter limiter;
  private final Policy policy;
  private final String key;
  private final int requests;
  private final AtomicInteger asking = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger degraded = new AtomicInteger();
  private final AtomicInteger turns = new AtomicInteger();

  private Waiting(RateLimiter limiter, Policy policy, String key, int requests) {
    this.limiter = limiter;
    this.policy = policy;
    this.key = key;
    this.requests = requests;
  }

  static Waiting of(RateLimiter limiter, List<String> words) {
    List<String> rest = Terms.after(words);
    Policy policy = Terms.parse(words).policy();
    return new Waiting(limiter, policy, rest.get(0), Integer.parseInt(rest.get(1)));
  }

  /** Runs them all and returns how often the other thread ran while every single one waited. */
  List<String> report() throws ReflectiveOperationException {
    for (int i = 0; i < requests; i++) {
      Key own = Key.of(key + "-" + i);
      startVirtual(() -> ask(own));
    }
    startVirtual(this::count);
    long began = Ticker.system().nanoTime();
    while (answered.get() < requests && Ticker.system().nanoTime() - began < PATIENCE_NANOS) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return List.of(
        "answered " + answered, "degraded " + degraded, "turns " + turns, "jdk " + jdk());
  }

  private void ask(Key own) {
    asking.incrementAndGet();
    Decision decision = limiter.tryAcquire(policy, own);
    if (decision.degraded()) {
      degraded.incrementAndGet();
    }
    answered.incrementAndGet();
  }

  private void count() {
    while (answered.get() < requests) {
      if (asking.get() == requests && answered.get() == 0) {
        turns.incrementAndGet();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static int jdk() {
    return Runtime.version().feature();
  }

  private static void startVirtual(Runnable task) throws ReflectiveOperationException {
    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
  }
}
