package io.weir.benchmarks.cluster;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Samples;
import io.weir.compat.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A node on a real Redis with some flush interval, and threads that ask it as fast as they can, for
 * keys whose limit is out of reach; measured once they are hot.
 *
 * <p>Confine to one thread.
 */
final class HotKeys implements AutoCloseable {
  private static final String POLICY = "keys";
  private static final int THREADS = 2;
  private static final int KEYS = 100;
  private static final int BATCH = 10;
  private static final long LOOK_NANOS = 50_000_000;
  private static final int PATIENCE = 2_000;
  private static final double HOT = 0.01;

  private final Policy policy =
      Policy.builder(POLICY)
          .algorithm(Algorithm.SLIDING_WINDOW)
          .limit(Policy.MAX_LIMIT)
          .window(Duration.ofMinutes(1))
          .build();
  private final List<Key> keys = new ArrayList<>();
  private final PolicyClaimCounts exchanges = new PolicyClaimCounts();
  private final RateLimiter limiter;
  private final List<Double> perSecond = new ArrayList<>();
  private final List<Double> perDecision = new ArrayList<>();
  private final LongAdder degraded = new LongAdder();
  private final LongAdder decisions = new LongAdder();
  private volatile boolean over;

  private HotKeys(RedisServer redis, int flushMillis) {
    limiter =
        RateLimiter.builder()
            .store(WeirCluster.store(redis.url(), "flush" + flushMillis, exchanges))
            .flushInterval(Duration.ofMillis(flushMillis))
            .build();
    for (int i = 0; i < KEYS; i++) {
      keys.add(Key.of("key-" + i));
    }
  }

  /**
   * The results for one interval.
   *
   * @param perSecond decisions a second of all threads, one sample a round
   * @param exchangesPerDecision likewise
   * @param degraded how many were decided without the store, while it became hot included
   */
  record Measured(Samples perSecond, Samples exchangesPerDecision, long degraded) {}

  /** Measures each interval in turns. */
  static List<Measured> measure(Effort effort, int... flushMillis) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      List<HotKeys> all = new ArrayList<>();
      for (int each : flushMillis) {
        all.add(new HotKeys(redis, each));
      }
      int rounds = effort.of(1, 3, 4);
      for (int round = 0; round < rounds; round++) {
        boolean counts = round > 0 || effort == Effort.TINY; // the first is for the compiler
        for (HotKeys each : all) {
          each.round(effort.of(100, PATIENCE, PATIENCE), effort.of(50, 500, 1_000), counts);
        }
      }
      all.forEach(HotKeys::close);
      return all.stream().map(HotKeys::measured).toList();
    }
  }

  private void round(int patience, int millis, boolean counts) throws Exception {
    over = false;
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> callers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int first = i * KEYS / THREADS;
      callers.add(threads.submit(() -> ask(first)));
    }
    awaitHot(patience);
    long since = System.nanoTime();
    long asked = decisions.sum();
    long sent = exchanges.of(POLICY);
    LockSupport.parkNanos(millis * 1_000_000L);
    double seconds = (System.nanoTime() - since) / 1e9;
    asked = decisions.sum() - asked;
    sent = exchanges.of(POLICY) - sent;
    over = true;
    for (Future<?> each : callers) {
      each.get();
    }
    threads.shutdown();
    if (counts) {
      perSecond.add(asked / seconds);
      perDecision.add((double) sent / asked);
    }
  }

  // As long as each decision waits for the store, so few come that no lease is earned.
  private void awaitHot(int millis) {
    long until = System.nanoTime() + millis * 1_000_000L;
    boolean hot = false;
    while (!hot && System.nanoTime() < until) {
      long asked = decisions.sum();
      long sent = exchanges.of(POLICY);
      LockSupport.parkNanos(LOOK_NANOS);
      hot = exchanges.of(POLICY) - sent < (decisions.sum() - asked) * HOT;
    }
  }

  private void ask(int first) {
    int next = first;
    while (!over) {
      for (int i = 0; i < BATCH; i++) {
        next = next + 1 == KEYS ? 0 : next + 1;
        Decision decision = limiter.tryAcquire(policy, keys.get(next));
        if (!decision.admitted()) {
          throw new IllegalStateException("refused although the limit is out of reach");
        }
        if (decision.degraded()) {
          degraded.increment();
        }
      }
      decisions.add(BATCH);
    }
  }

  private Measured measured() {
    return new Measured(samples(perSecond), samples(perDecision), degraded.sum());
  }

  private static Samples samples(List<Double> all) {
    return Samples.of(all.stream().mapToDouble(each -> each).toArray());
  }

  @Override
  public void close() {
    limiter.close();
  }
}
