package io.weir.benchmarks.redis;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.spi.DecisionMetrics;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Weir with the settings that it has unless others are set, but for a store time-out as long as the
 * others have: who waits for a machine that is busy with them mustn't be decided without Redis.
 */
public final class WeirRedis implements Contender {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final long MANY = 500_000;

  private final LongAdder exchanges = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final RateLimiter limiter;
  private final Policy policy;

  private WeirRedis(int port, Policy policy, long buckets) {
    this.policy = policy;
    this.limiter =
        RateLimiter.builder()
            .store("redis://127.0.0.1:" + port, WeirRedis::setting)
            .storeTimeout(TIMEOUT)
            .cacheBuckets(buckets)
            .metrics(new Told())
            .build();
  }

  /** A policy of a minute, by the algorithm that policies have unless another is set. */
  static WeirRedis hard(int port, int threads, long limit) {
    return hard(port, limit, Algorithm.SLIDING_WINDOW);
  }

  /** A policy of a minute. */
  public static WeirRedis hard(int port, long limit, Algorithm algorithm) {
    return new WeirRedis(port, policy(limit, Duration.ofMinutes(1), 0, algorithm), 100_000);
  }

  /**
   * The same of a few seconds, where 5 percent may be admitted ahead of Redis. Its cache holds all
   * callers of a window: of one that has left it a node knows no more what it has borrowed.
   */
  static WeirRedis ahead(int port, Duration window, long limit) {
    return new WeirRedis(port, policy(limit, window, 5, Algorithm.SLIDING_WINDOW), MANY);
  }

  private static String setting(String name) {
    return name.equals("weir.store.timeout") ? TIMEOUT.toString() : "";
  }

  private static Policy policy(long limit, Duration window, int overshoot, Algorithm algorithm) {
    return Policy.builder("weir")
        .algorithm(algorithm)
        .limit(limit)
        .window(window)
        .overshoot(overshoot)
        .build();
  }

  @Override
  public boolean admits(String caller) {
    return admitted(limiter.tryAcquire(policy, Key.of(caller)));
  }

  private static boolean admitted(Decision decision) {
    if (decision.degraded()) {
      throw new IllegalStateException("decided without Redis");
    }
    return decision.admitted();
  }

  /** Whether a request needn't wait for Redis; admits it in any case. */
  boolean admitsAtOnce(String caller) {
    CompletableFuture<Decision> decision =
        limiter
            .tryAcquireAsync(List.of(new PermitRequest(policy, Key.of(caller))))
            .toCompletableFuture();
    boolean atOnce = decision.isDone();
    if (!admitted(decision.join())) {
      throw new IllegalStateException("a new caller is refused");
    }
    return atOnce;
  }

  @Override
  public long exchanges() {
    return exchanges.sum();
  }

  /** Returns the number of exchanges that failed or took too long. */
  long failures() {
    return failures.sum();
  }

  @Override
  public void close() {
    limiter.close();
  }

  /** Counts the calls of the store, and nothing of the decisions, as without metrics. */
  private final class Told implements DecisionMetrics {
    @Override
    public void storeExecuted(int claims, long nanos) {
      exchanges.add(claims);
    }

    @Override
    public void storeFailed() {
      failures.increment();
    }

    @Override
    public void decided(Decision part) {}

    @Override
    public void took(long nanos) {}

    @Override
    public void bucketsHeld(LongSupplier held) {}
  }
}
