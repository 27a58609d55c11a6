package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.compat.cassandra.CassandraCluster;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.seeds.DeepOnly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three nodes of Cassandra, of which one or all go away while two limiters are asked. */
@DeepOnly
class ThreeNodesTest {
  private static final int LIMIT = 600;

  /** So long that the driver gives its connections up. */
  private static final Duration LONG_AWAY = Duration.ofSeconds(6);

  private static final List<Algorithm> ALGORITHMS =
      List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW, Algorithm.TOKEN_BUCKET);

  private static CassandraCluster cluster;

  private final List<RateLimiter> limiters = new ArrayList<>();
  private final Map<Algorithm, Integer> counted = new EnumMap<>(Algorithm.class);
  private final Key caller = Key.of(UUID.randomUUID().toString());

  @BeforeAll
  static void start() {
    CassandraCluster.assumePresent();
    cluster = CassandraCluster.start(3);
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void open() {
    for (int i = 0; i < 2; i++) {
      limiters.add(
          RateLimiter.builder()
              .store(
                  Servers.address(cluster.node(i).contactPoint()),
                  name -> name.equals("weir.store.timeout") ? "2s" : "")
              .storeTimeout(Duration.ofSeconds(2))
              .startTimeout(Duration.ofMinutes(1))
              .build());
    }
  }

  @AfterEach
  void close() {
    limiters.forEach(RateLimiter::close);
  }

  private static Decision ask(RateLimiter limiter, Algorithm algorithm, Key who) {
    Policy policy =
        Policy.builder(algorithm.name())
            .algorithm(algorithm)
            .limit(LIMIT)
            .window(Duration.ofDays(300))
            .onStoreFailure(OnStoreFailure.OPEN)
            .build();
    return limiter.tryAcquire(policy, who);
  }

  /** The number not decided by the store; every request is answered. */
  private int ask(int requests) {
    int degraded = 0;
    for (Algorithm algorithm : ALGORITHMS) {
      for (int i = 0; i < requests; i++) {
        Decision decision = ask(limiters.get(i % limiters.size()), algorithm, caller);
        if (decision.degraded()) {
          assertTrue(decision.admitted(), "it is OPEN");
          degraded++;
        } else {
          counted.merge(algorithm, decision.admitted() ? 1 : 0, Integer::sum);
        }
      }
    }
    return degraded;
  }

  private void isExactInTheEnd() {
    Await.until("the store decides again", () -> ask(10) == 0);
    int degraded = ask(LIMIT + 100);
    assertTrue(degraded < LIMIT / 10, "degraded: " + degraded);
    counted.forEach(
        (algorithm, admitted) ->
            assertTrue(admitted <= LIMIT, algorithm + " admitted " + admitted));
  }

  @Test
  void oneThatIsKilledIsNotMissed() {
    assertEquals(0, ask(20), "degraded");
    CassandraServer one = cluster.node(2);
    one.kill();
    try {
      Await.until("the others decide", () -> ask(10) == 0);
      ask(50);
      isExactInTheEnd();
    } finally {
      one.restart();
      cluster.awaitAllLive();
    }
  }

  @Test
  void oneThatIsFrozenIsNotMissed() {
    assertEquals(0, ask(20), "degraded");
    CassandraServer one = cluster.node(1);
    one.freeze();
    try {
      Await.until("the others decide", () -> ask(10) == 0);
      ask(50);
      isExactInTheEnd();
    } finally {
      one.thaw();
      cluster.awaitAllLive();
    }
  }

  @Test
  void allMayBeAwayForAWhile() {
    assertEquals(0, ask(20), "degraded");
    try (CqlSession observer = cluster.session(1)) {
      cluster.nodes().forEach(CassandraServer::freeze);
      try {
        assertEquals(ALGORITHMS.size(), unheard());
        LockSupport.parkNanos(LONG_AWAY.toNanos());
        assertEquals(ALGORITHMS.size(), unheard());
      } finally {
        cluster.nodes().forEach(CassandraServer::thaw);
      }
      awaitStore(observer, "all were frozen");
    }
    isExactInTheEnd();
  }

  @Test
  void twoMayBeKilled() {
    assertEquals(0, ask(20), "degraded");
    try (CqlSession observer = cluster.node(0).session()) {
      cluster.node(1).kill();
      cluster.node(2).kill();
      assertEquals(ALGORITHMS.size(), unheard());
      CompletableFuture<Void> restarted = CompletableFuture.runAsync(cluster.node(1)::restart);
      awaitStore(observer, "two were killed and one is back");
      restarted.join();
      isExactInTheEnd();
    } finally {
      cluster.node(2).restart();
      cluster.awaitAllLive();
    }
  }

  /** Asks for new callers; returns how many were admitted because the store is away. */
  private int unheard() {
    int open = 0;
    for (Algorithm each : ALGORITHMS) {
      Decision decision = ask(limiters.get(0), each, Key.of(UUID.randomUUID().toString()));
      open += decision.degraded() && decision.admitted() ? 1 : 0;
    }
    return open;
  }

  /** Waits until CQL answers at the quorum, then says how long the limiters go on without it. */
  private void awaitStore(CqlSession observer, String what) {
    Await.until("CQL answers at the quorum", () -> answersAtQuorum(observer));
    long answered = System.nanoTime();
    Await.until("the store decides again", () -> limiters.stream().allMatch(this::isDecided));
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - answered);
    System.out.printf("%s: exact again %d ms after CQL answered%n", what, millis);
  }

  private boolean isDecided(RateLimiter limiter) {
    return !ask(limiter, ALGORITHMS.get(0), Key.of(UUID.randomUUID().toString())).degraded();
  }

  private static boolean answersAtQuorum(CqlSession observer) {
    try {
      observer.execute(
          SimpleStatement.newInstance("SELECT used FROM tests.weir_buckets WHERE name = 'any'")
              .setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM)
              .setTimeout(Duration.ofMillis(200)));
      return true;
    } catch (DriverException away) {
      return false;
    }
  }
}
