package io.weir.benchmarks.postgres;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.annotation.OnStoreFailure;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Latencies;
import io.weir.benchmarks.Table;
import io.weir.benchmarks.cluster.PolicyClaimCounts;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.Distance;
import io.weir.compat.redis.RedisServer;
import io.weir.internal.engine.StoreLocator;
import io.weir.store.LeasingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures what callers wait for who need the store each time, on a Redis and a PostgreSQL behind a
 * port that delays each byte: new callers, and callers at 80 % of a limit per second.
 */
final class WaitsFarAway {
  private static final int[] MILLIS = {0, 2, 5, 20, 50};
  private static final int WARM_UP = 30;
  private static final int CALLERS = 8;
  private static final long PAUSE_NANOS = 125_000_000;
  private static final List<String> COLUMNS =
      List.of(
          "store",
          "round trip",
          "new callers: exchanges a request",
          "median ms",
          "p99 ms",
          "refused",
          "degraded",
          "callers at 8 of 10 per 1 s: exchanges a request",
          "median ms",
          "p99 ms",
          "refused",
          "degraded");

  private WaitsFarAway() {}

  /** Returns the table. */
  static Table table(PostgresServer postgres, Effort effort) throws InterruptedException {
    int[] distances = effort == Effort.TINY ? new int[] {2} : MILLIS;
    int strangers = effort.of(5, 100, 1_000);
    int requests = effort.of(2, 40, 400);
    List<List<String>> rows = new ArrayList<>();
    try (RedisServer redis = RedisServer.start()) {
      for (int millis : distances) {
        rows.add(
            row(
                "Redis",
                millis,
                redis.port(),
                "redis://127.0.0.1:" + redis.port(),
                strangers,
                requests));
        rows.add(
            row(
                "PostgreSQL",
                millis,
                postgres.port(),
                postgres.newDatabase(),
                strangers,
                requests));
      }
    }
    return new Table("One node, a store so far away: requests that wait for it", COLUMNS, rows);
  }

  private static List<String> row(
      String store, int millis, int port, String url, int strangers, int requests)
      throws InterruptedException {
    PolicyClaimCounts exchanges = new PolicyClaimCounts();
    try (Distance distance = new Distance(port, Duration.ofMillis(millis))) {
      String far = millis == 0 ? url : url.replace(":" + port, ":" + distance.port());
      LeasingStore opened = (LeasingStore) StoreLocator.open(far, name -> "", Ticker.system());
      try (RateLimiter node = RateLimiter.builder().store(exchanges.counting(opened)).build()) {
        List<String> row = new ArrayList<>(List.of(store, millis + " ms"));
        ask(node, policy("warm-up", 100), millis + " ms", WARM_UP, 0);
        Waits once = ask(node, policy("new", 100), millis + " ms", strangers, 0);
        row.addAll(once.cells(exchanges.of("new")));
        Waits callers = together(node, policy("few", 10), requests);
        row.addAll(callers.cells(exchanges.of("few")));
        return row;
      }
    }
  }

  private static Policy policy(String name, int limit) {
    return Policy.builder(name)
        .limit(limit)
        .window(Duration.ofSeconds(1))
        .onStoreFailure(OnStoreFailure.CLOSED)
        .build();
  }

  private static Waits together(RateLimiter node, Policy policy, int requests)
      throws InterruptedException {
    Waits all = new Waits();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      String caller = "caller" + i;
      Thread thread =
          new Thread(() -> all.add(ask(node, policy, caller, requests, PAUSE_NANOS)), caller);
      threads.add(thread);
      thread.start();
    }
    for (Thread each : threads) {
      each.join();
    }
    return all;
  }

  /** Asks one request after the other: of one caller with a pause, else each of a new one. */
  private static Waits ask(
      RateLimiter node, Policy policy, String caller, int requests, long pauseNanos) {
    Waits waits = new Waits();
    long next = System.nanoTime();
    for (int i = 0; i < requests; i++) {
      Key key = Key.of(pauseNanos == 0 ? caller + i : caller);
      long asked = System.nanoTime();
      Decision decision = node.tryAcquire(policy, key);
      waits.add(decision, System.nanoTime() - asked);
      next += pauseNanos;
      while (System.nanoTime() < next) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
    }
    return waits;
  }

  /** What requests waited for, and how they were decided. */
  private static final class Waits {
    private final Latencies latencies = new Latencies();
    private long refused;
    private long degraded;

    void add(Decision decision, long nanos) {
      latencies.add(nanos);
      refused += !decision.admitted() && !decision.degraded() ? 1 : 0;
      degraded += decision.degraded() ? 1 : 0;
    }

    synchronized void add(Waits other) {
      latencies.addAll(other.latencies);
      refused += other.refused;
      degraded += other.degraded;
    }

    List<String> cells(long exchanges) {
      return List.of(
          String.format(Locale.ROOT, "%.2f", (double) exchanges / latencies.count()),
          String.format(Locale.ROOT, "%.1f", latencies.micros(50) / 1_000),
          String.format(Locale.ROOT, "%.1f", latencies.micros(99) / 1_000),
          refused + " of " + latencies.count(),
          "" + degraded);
    }
  }
}
