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
import java.util.function.UnaryOperator;

/**
 * Weir with the settings that it has unless others are set, but for a store time-out as long as the
 * others have: a request that waits for a machine busy with them mustn't be decided without the
 * store.
 */
public final class WeirLimiter implements Contender {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final long MANY = 500_000;

  private final LongAdder exchanges = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final RateLimiter limiter;
  private final Policy policy;

  private WeirLimiter(String store, UnaryOperator<String> settings, Policy policy, long buckets) {
    this.policy = policy;
    this.limiter =
        RateLimiter.builder()
            .store(store, name -> setting(name, settings))
            .storeTimeout(TIMEOUT)
            .cacheBuckets(buckets)
            .metrics(new Told())
            .build();
  }

  /** Returns a policy of a minute, by the algorithm that policies have unless another is set. */
  static WeirLimiter hard(int port, int threads, long limit) {
    return hard(port, limit, Algorithm.SLIDING_WINDOW);
  }

  /** Returns a policy of a minute. */
  public static WeirLimiter hard(int port, long limit, Algorithm algorithm) {
    return at(redis(port), name -> "", policy(limit, Duration.ofMinutes(1), 0, algorithm));
  }

  /**
   * Returns a policy, counted in another store.
   *
   * @param store its address
   * @param settings reads settings of the store; the empty string for the usual value
   */
  public static WeirLimiter at(String store, UnaryOperator<String> settings, Policy policy) {
    return new WeirLimiter(store, settings, policy, 100_000);
  }

  private static String redis(int port) {
    return "redis://127.0.0.1:" + port;
  }

  /**
   * Returns the same of a few seconds, where 5 percent may be admitted ahead of Redis. Its cache
   * holds all callers of a window: of one that has left it a node knows no more what it has
   * borrowed.
   */
  static WeirLimiter ahead(int port, Duration window, long limit) {
    Policy policy = policy(limit, window, 5, Algorithm.SLIDING_WINDOW);
    return new WeirLimiter(redis(port), name -> "", policy, MANY);
  }

  private static String setting(String name, UnaryOperator<String> settings) {
    return name.equals("weir.store.timeout") ? TIMEOUT.toString() : settings.apply(name);
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
      throw new IllegalStateException("decided without the store");
    }
    return decision.admitted();
  }

  /** Returns whether a request needn't wait for the store; admits it in any case. */
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
