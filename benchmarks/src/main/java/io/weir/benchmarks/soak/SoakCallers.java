package io.weir.benchmarks.soak;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.benchmarks.soak.PermitCount.Place;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that send requests to a node continuously, and count the permits that they get.
 *
 * <p>Safe for concurrent use.
 */
final class SoakCallers {
  private static final int THREADS = 4;
  private static final int AT_ONCE = 5;
  private static final long PAUSE_NANOS = 10_000_000;
  private static final int SLOW_PERCENT = 15;

  private final RateLimiter limiter;
  private final List<Target> hot = SoakLoadKind.HOT.stream().map(Target::of).toList();
  private final Target slow = Target.of(SoakLoadKind.SLOW);
  private volatile Map<Place, AtomicLong> counts = new ConcurrentHashMap<>();
  private Map<Place, AtomicLong> before = Map.of();
  private final AtomicLong decisions = new AtomicLong();
  private final AtomicLong degraded = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();
  private volatile boolean over;

  /** The requests, created once. */
  private record Target(SoakLoadKind load, Policy policy) {
    static Target of(SoakLoadKind load) {
      return new Target(load, load.policy());
    }
  }

  SoakCallers(RateLimiter limiter) {
    this.limiter = limiter;
  }

  void start(long seed) {
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      Thread thread = new Thread(() -> run(random), "soak-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  void stop() {
    over = true;
  }

  private void run(SplittableRandom random) {
    while (!over) {
      for (int i = 0; i < AT_ONCE; i++) {
        boolean slowly = random.nextInt(100) < SLOW_PERCENT;
        Target target = slowly ? slow : hot.get(random.nextInt(hot.size()));
        ask(target, random.nextInt(target.load().keys()));
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void ask(Target target, int key) {
    long asked = Ticker.system().epochMicros();
    long before = Ticker.system().nanoTime();
    Decision decision = decision(target, key);
    long took = (Ticker.system().nanoTime() - before) / 1_000;
    longest.accumulateAndGet(took, Math::max);
    decisions.incrementAndGet();
    if (decision == null) {
      failed.incrementAndGet();
      return;
    }
    degraded.addAndGet(decision.degraded() ? 1 : 0);
    if (decision.admitted()) {
      long slot = target.load().slotMicros();
      long told = Ticker.system().epochMicros();
      count(new Place(target.load(), key, decision.degraded(), asked / slot, told / slot));
    }
  }

  private @Nullable Decision decision(Target target, int key) {
    try {
      return limiter.tryAcquire(target.policy(), Key.of("caller-" + key));
    } catch (RuntimeException | Error thrown) {
      if (failed.get() == 0) {
        thrown.printStackTrace();
      }
      return null;
    }
  }

  private void count(Place place) {
    counts.computeIfAbsent(place, any -> new AtomicLong()).incrementAndGet();
  }

  /** Returns the counts between the two previous calls, which no thread changes any more. */
  synchronized Map<Place, AtomicLong> take() {
    Map<Place, AtomicLong> done = before;
    before = counts;
    counts = new ConcurrentHashMap<>();
    return done;
  }

  NodeState state(long heap, long threads) {
    return new NodeState(
        heap, threads, decisions.get(), degraded.get(), failed.get(), longest.get());
  }
}
