package io.weir.benchmarks.cluster;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Samples;
import io.weir.compat.redis.RedisServer;
import io.weir.engine.RateLimiters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A node on a real Redis with some flush interval, and threads that ask it as fast as they can, for
 * keys whose limit is out of reach.
 *
 * <p>Confine to one thread.
 */
final class HotKeys implements AutoCloseable {
  private static final String POLICY = "keys";
  private static final int THREADS = 2;
  private static final int KEYS = 100;
  private static final int BATCH = 10;

  private final Policy policy =
      Policy.builder(POLICY)
          .algorithm(Algorithm.SLIDING_WINDOW)
          .limit(Policy.MAX_LIMIT)
          .window(Duration.ofMinutes(1))
          .build();
  private final List<Key> keys = new ArrayList<>();
  private final Exchanges exchanges = new Exchanges();
  private final RateLimiter limiter;
  private final List<Double> perSecond = new ArrayList<>();
  private final LongAdder degraded = new LongAdder();
  private long decisions;
  private long exchanged;

  private HotKeys(RedisServer redis, int flushMillis) {
    limiter =
        RateLimiters.builder()
            .store(WeirCluster.store(redis.url(), "flush" + flushMillis, exchanges))
            .flushInterval(Duration.ofMillis(flushMillis))
            .build();
    for (int i = 0; i < KEYS; i++) {
      keys.add(Key.of("key-" + i));
    }
  }

  /**
   * What one interval came to.
   *
   * @param perSecond decisions a second of all threads, one sample a round
   * @param exchangesPerDecision in all rounds
   * @param degraded how many were decided without the store
   */
  record Measured(Samples perSecond, double exchangesPerDecision, long degraded) {}

  /** Measures each interval in turns. */
  static List<Measured> measure(Effort effort, int... flushMillis) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      List<HotKeys> all = new ArrayList<>();
      for (int each : flushMillis) {
        all.add(new HotKeys(redis, each));
      }
      int rounds = effort.of(1, 2, 4);
      for (int round = 0; round < rounds; round++) {
        boolean counts = round > 0 || effort == Effort.TINY; // the first is for the compiler
        for (HotKeys each : all) {
          each.round(effort.of(50, 500, 700), effort.of(50, 500, 800), counts);
        }
      }
      all.forEach(HotKeys::close);
      return all.stream().map(HotKeys::measured).toList();
    }
  }

  private void round(int warmUpMillis, int millis, boolean counts) throws Exception {
    long from = System.nanoTime() + warmUpMillis * 1_000_000L;
    long to = from + millis * 1_000_000L;
    List<Callable<Long>> callers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int first = i * KEYS / THREADS;
      callers.add(() -> ask(first, from, to));
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
    Future<Long> exchangesAtFrom =
        threads.submit(
            () -> {
              while (System.nanoTime() < from) {
                LockSupport.parkNanos(from - System.nanoTime());
              }
              return exchanges.of(POLICY);
            });
    long inTime = 0;
    for (Future<Long> each : threads.invokeAll(callers)) {
      inTime += each.get();
    }
    if (counts) {
      perSecond.add(inTime / (millis / 1e3));
      decisions += inTime;
      exchanged += exchanges.of(POLICY) - exchangesAtFrom.get();
    }
    threads.shutdown();
  }

  private long ask(int first, long from, long to) {
    int next = first;
    long inTime = 0;
    for (long now = System.nanoTime(); now < to; now = System.nanoTime()) {
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
      inTime += now >= from ? BATCH : 0;
    }
    return inTime;
  }

  private Measured measured() {
    double[] samples = perSecond.stream().mapToDouble(each -> each).toArray();
    double each = decisions == 0 ? 0 : (double) exchanged / decisions;
    return new Measured(Samples.of(samples), each, degraded.sum());
  }

  @Override
  public void close() {
    limiter.close();
  }
}
