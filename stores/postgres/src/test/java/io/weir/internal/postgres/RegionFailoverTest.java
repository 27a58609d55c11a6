package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RegionStatus;
import io.weir.Weir;
import io.weir.compat.postgres.PostgresReplica;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.RedisServer;
import io.weir.seeds.OneDayIn;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A region on a Redis reports to one on a PostgreSQL whose replica, which lagged behind, takes
 * over. Reports go on by themselves; only what the replica hadn't received is missing there.
 */
@OneDayIn(2)
class RegionFailoverTest {
  private static final int LIMIT = 100;
  private static final Policy POLICY =
      Policy.builder("regions").limit(LIMIT).window(Duration.ofDays(1)).build();
  private static final Key WHO = Key.user("alice");

  private final RedisServer redis = RedisServer.start();
  private final PostgresServer primary = PostgresServer.start();

  @AfterEach
  void close() {
    primary.close();
    redis.close();
  }

  private static Weir node(String region, String store, String other, String itsStore) {
    return Weir.builder()
        .onlyGivenSettings()
        .settings(
            Map.of(
                "weir.region",
                region,
                "weir.store",
                store,
                "weir.store.timeout",
                "2s",
                "weir.secret",
                "a secret of all regions",
                "weir.regions.interval",
                "200ms",
                "weir.write-back.leases-for-slow-callers",
                "false", // all that is left is free
                "weir.region." + other + ".store",
                itsStore,
                "weir.region." + other + ".store.timeout",
                "2s"))
        .build();
  }

  private static void use(Weir node, int permits) {
    assertTrue(node.limiter().tryAcquire(POLICY, WHO, permits).admitted());
  }

  /** Asks until the store has answered; a node may not have noticed yet that it was away. */
  private static long left(Weir node) {
    AtomicReference<Decision> last = new AtomicReference<>();
    Await.until(
        "the store has answered",
        () -> {
          last.set(node.limiter().peek(POLICY, WHO));
          return !last.get().degraded();
        });
    return last.get().remaining();
  }

  private static void awaitLeft(Weir node, long left) {
    Await.until(left + " are left, not " + left(node), () -> left(node) == left);
  }

  private static RegionStatus other(Weir node) {
    return node.regions().get(1);
  }

  @Test
  void aReplicaThatTakesOverGetsTheReports() {
    failOver(primary::kill);
  }

  /** It accepts connections, but says nothing: as if its machine were cut off. */
  @Test
  void aFrozenPrimaryIsLeftForTheNextOne() {
    failOver(primary::freeze);
  }

  private void failOver(Runnable end) {
    try (PostgresReplica replica = PostgresReplica.of(primary)) {
      String postgres = PostgresServer.primaryUrl("postgres", primary, replica.server());
      try (Weir us = node("us", postgres, "eu", redis.url());
          Weir eu = node("eu", redis.url(), "us", postgres)) {
        use(eu, 30);
        awaitLeft(us, 70);
        replica.awaitCaughtUp();
        replica.cutOff();
        use(eu, 10);
        awaitLeft(us, 60);
        Await.until("all is reported", () -> other(eu).unreported() == 0);
        end.run();
        use(eu, 7);
        replica.promote();
        use(eu, 5);
        Await.until("it is charged there", () -> left(us) <= LIMIT - 30 - 5);
        long fewest = LIMIT - 30 - 10 - 2 * (7 + 5); // what isn't answered in time may count twice
        long left = left(us);
        assertTrue(left >= fewest, "left are " + left);
        use(us, 20);
        awaitLeft(eu, LIMIT - 30 - 10 - 7 - 5 - 20);
        use(eu, 1);
        Await.until("reports go on", () -> left(us) <= left - 20 - 1);
        long last = left(us);
        assertTrue(last >= fewest - 20 - 2, "left are " + last);
        Await.until("all is well", () -> other(eu).trouble().isEmpty());
        Await.until("eu is heard of", () -> other(us).trouble().isEmpty());
      }
    }
  }
}
