package io.weir.benchmarks.cluster;

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

/**
 * A node on a real Redis with some flush interval, and threads that ask it as fast as they can, for
 * keys whose limit is out of reach.
 *
 * <p>Confine to one thread.
 */
final class HotKeys implements AutoCloseable {
  private static final int THREADS = 8;
  private static final int KEYS = 100;
  private static final int BATCH = 100;

  private final Policy policy =
      Policy.builder("keys")
          .algorithm(Algorithm.SLIDING_WINDOW)
          .limit(Policy.MAX_LIMIT)
          .window(Duration.ofMinutes(1))
          .build();
  private final List<Key> keys = new ArrayList<>();
  private final Exchanges exchanges = new Exchanges();
  private final RateLimiter limiter;
  private final List<Double> perSecond = new ArrayList<>();
  private long decisions;

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
   * @param perSecond decisions a second of all threads
   * @param exchangesPerDecision over all rounds, their beginnings included
   */
  record Measured(Samples perSecond, double exchangesPerDecision) {}

  /** Measures each interval in turns. */
  static List<Measured> measure(Effort effort, int... flushMillis) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      List<HotKeys> all = new ArrayList<>();
      for (int each : flushMillis) {
        all.add(new HotKeys(redis, each));
      }
      int rounds = effort.of(1, 2, 3);
      for (int round = 0; round < rounds; round++) {
        for (HotKeys each : all) {
          each.round(effort.of(50, 500, 1_000), effort.of(50, 500, 1_000));
        }
      }
      all.forEach(HotKeys::close);
      return all.stream().map(HotKeys::measured).toList();
    }
  }

  private void round(int warmUpMillis, int millis) throws Exception {
    LongAdder counted = new LongAdder();
    List<Callable<Long>> callers = new ArrayList<>();
    long from = System.nanoTime() + warmUpMillis * 1_000_000L;
    long to = from + millis * 1_000_000L;
    for (int i = 0; i < THREADS; i++) {
      int first = i * KEYS / THREADS;
      callers.add(() -> ask(first, from, to, counted));
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    for (Future<Long> each : threads.invokeAll(callers)) {
      decisions += each.get();
    }
    threads.shutdown();
    perSecond.add(counted.sum() / (millis / 1e3));
  }

  private long ask(int first, long from, long to, LongAdder counted) {
    int next = first;
    long asked = 0;
    for (long now = System.nanoTime(); now < to; now = System.nanoTime()) {
      for (int i = 0; i < BATCH; i++) {
        next = next + 1 == KEYS ? 0 : next + 1;
        if (!limiter.tryAcquire(policy, keys.get(next)).admitted()) {
          throw new IllegalStateException("refused although the limit is out of reach");
        }
      }
      asked += BATCH;
      counted.add(now >= from ? BATCH : 0);
    }
    return asked;
  }

  private Measured measured() {
    double[] samples = perSecond.stream().mapToDouble(each -> each).toArray();
    return new Measured(Samples.of(samples), (double) exchanges.of("keys") / decisions);
  }

  @Override
  public void close() {
    limiter.close();
  }
}
