package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.fault.FaultProxy;
import io.weir.compat.redis.fault.Hiccups;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Four nodes with two threads each spend one limit on a PostgreSQL that is a round trip away, for
 * some seconds; for 60 s, at more distances, in a long build.
 */
@OneDayIn(2)
class FarPostgresTest {
  private static final int NODES = 4;
  private static final int THREADS = 2;
  private static final int LIMIT = 100;
  private static final Duration WINDOW = Duration.ofSeconds(10);

  /** A machine whose threads run later than this, in percent of the time, is late with answers. */
  private static final long LATE = 10;

  /** A database whose answers to others take longer is late: the nodes wait 100 ms. */
  private static final Duration LATE_ANSWER = Duration.ofMillis(80);

  private static final Duration SPENT = Duration.ofSeconds(Seeds.deep() ? 60 : 5);

  private final FaultProxy proxy = FaultProxy.beforePostgres(PostgresServer.shared().port());
  private final List<RateLimiter> nodes = new ArrayList<>();
  private final List<Long> admitted = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger degraded = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void close() {
    nodes.forEach(RateLimiter::close);
    proxy.close();
  }

  static List<Integer> millis() {
    return Seeds.deep() ? List.of(2, 5, 20, 50) : List.of(20, 50);
  }

  @ParameterizedTest
  @MethodSource("millis")
  void admitsNoMoreThanTheLimit(int millis) throws InterruptedException, SQLException {
    String database = PostgresServer.shared().newDatabase();
    String far =
        database.replace(":" + PostgresServer.shared().port() + "/", ":" + proxy.port() + "/");
    for (int i = 0; i < NODES; i++) {
      nodes.add(
          RateLimiter.builder().store(far, name -> "").startTimeout(Duration.ofMinutes(1)).build());
    }
    Policy policy =
        Policy.builder("far" + UUID.randomUUID())
            .limit(LIMIT)
            .window(WINDOW)
            .algorithm(Algorithm.SLIDING_WINDOW)
            .onStoreFailure(OnStoreFailure.LOCAL)
            .build();
    proxy.slow(millis, millis);
    AtomicBoolean ended = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < NODES * THREADS; i++) {
      RateLimiter node = nodes.get(i % NODES);
      Thread thread = new Thread(() -> spend(node, policy, ended));
      thread.start();
      threads.add(thread);
    }
    boolean late = isLateWhileTheySpend(far);
    ended.set(true);
    for (Thread each : threads) {
      each.join();
    }
    int most = mostInAWindow();
    System.out.printf(
        "%d ms: at most %d of %d in a window, %d of %d degraded, %s%n",
        millis, most, LIMIT, degraded.get(), asked.get(), late ? "a late machine" : "in time");
    assertTrue(most <= LIMIT, most + " in a window");
    assertTrue(late || most >= LIMIT / 2, "only " + most);
    assertTrue(
        late || 100 * degraded.get() <= 3 * asked.get(), degraded + " of " + asked + " degraded");
  }

  /** Asks the database as well, for a number that it has to write. */
  private static boolean isLateWhileTheySpend(String far) throws SQLException {
    long end = System.nanoTime() + SPENT.toNanos();
    long worst = 0;
    try (Connection own = DriverManager.getConnection(far);
        Statement statement = own.createStatement();
        Hiccups hiccups = new Hiccups()) {
      while (System.nanoTime() - end < 0) {
        long before = System.nanoTime();
        statement.execute("SELECT txid_current()");
        worst = Math.max(worst, System.nanoTime() - before);
      }
      return worst > LATE_ANSWER.toNanos() || 100 * hiccups.lateNanos() > LATE * SPENT.toNanos();
    }
  }

  private void spend(RateLimiter node, Policy policy, AtomicBoolean ended) {
    PermitRequest request = new PermitRequest(policy, Key.of("who"));
    while (!ended.get()) {
      long before = System.nanoTime();
      Decision decision = node.tryAcquireAsync(List.of(request)).toCompletableFuture().join();
      asked.incrementAndGet();
      if (decision.admitted() && !decision.degraded()) {
        admitted.add(before);
      }
      if (decision.degraded()) {
        degraded.incrementAndGet();
      }
      LockSupport.parkNanos(2_000_000);
    }
  }

  private int mostInAWindow() {
    List<Long> times = new ArrayList<>(admitted);
    Collections.sort(times);
    int most = 0;
    int first = 0;
    for (int last = 0; last < times.size(); last++) {
      while (times.get(last) - times.get(first) >= WINDOW.toNanos()) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }
}
