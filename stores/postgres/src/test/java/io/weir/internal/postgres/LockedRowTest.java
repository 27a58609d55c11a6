package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims buckets of which one's row is locked by a transaction of somebody else. */
class LockedRowTest {
  /** Statements may wait for a lock for a minute: what ends sooner hasn't waited. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "weir.store.timeout", "2s",
          "weir.store.postgres.command-timeout", "1m",
          "weir.store.postgres.connections", "1");

  private final String database = PostgresServer.shared().newDatabase();

  private static BucketId bucket(int number) {
    BucketSpec spec =
        BucketSpec.builder("locked")
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofDays(300))
            .build();
    return new BucketId(spec, Key.of("caller" + number));
  }

  private static List<Optional<Grant>> take(PostgresStore store, int buckets) {
    return store
        .execute(IntStream.range(0, buckets).mapToObj(i -> Claim.of(bucket(i), 1, 10, 10)).toList())
        .toCompletableFuture()
        .join();
  }

  /** One alone has a statement of its own. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void failsAloneWithoutWaitingForTheLock(int buckets) throws SQLException {
    try (PostgresStore store =
        Databases.open(database, SETTINGS, new StoreClock(Ticker.system()))) {
      Await.until("the row is there", () -> take(store, 1).get(0).isPresent());
      try (Connection other = PostgresServer.source(database).getConnection();
          Statement statement = other.createStatement()) {
        other.setAutoCommit(false);
        statement.execute("SELECT 1 FROM weir_buckets WHERE key > '\\x01' FOR UPDATE");
        long begun = System.nanoTime();
        List<Optional<Grant>> grants = take(store, buckets);
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        assertTrue(took.toSeconds() < 30, took + "");
        assertTrue(grants.get(0).isEmpty(), "the locked one");
        grants.subList(1, buckets).forEach(each -> assertEquals(1, each.orElseThrow().permits()));
        other.rollback();
      }
      assertEquals(8, take(store, 1).get(0).orElseThrow().left(), "and nothing was charged for it");
    }
  }

  /** Or old versions of the row would pile up for as long as the transaction stays open. */
  @Test
  void beatsReplaceNoRow() {
    try (PostgresStore store = Databases.open(database)) {
      Epoch first = store.epoch(0, Epoch.NONE).toCompletableFuture().join();
      Await.until(
          "it has beaten",
          () -> store.epoch(0, first).toCompletableFuture().join().beats() >= first.beats() + 20);
      assertTrue(Databases.number(database, "SELECT count(*) FROM weir_buckets") <= 20);
      String updates = "SELECT coalesce(sum(n_tup_upd), 0)::bigint FROM pg_stat_user_tables";
      Await.until(
          "its inserts are reported",
          () -> Databases.number(database, updates.replace("n_tup_upd", "n_tup_ins")) > 10);
      assertEquals(0, Databases.number(database, updates));
    }
  }
}
