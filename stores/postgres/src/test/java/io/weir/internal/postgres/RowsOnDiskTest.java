package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.Seeds;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.BucketUpdate;
import io.weir.store.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Measures what rows take on the disk after many updates. */
class RowsOnDiskTest {
  private static final int BUCKETS = 1_000;
  private static final int FIRST_ROUNDS = 3;
  private static final int ROUNDS = Seeds.times(10);
  private static final String SIZE = "SELECT pg_relation_size('weir_buckets')";
  private static final String INDEX_SIZE = "SELECT pg_relation_size('weir_buckets_pkey')";
  private static final String TOAST_SIZE =
      "SELECT pg_relation_size(reltoastrelid) FROM pg_class WHERE relname = 'weir_buckets'";
  private static final long LIMIT = 1_000_000;
  private static final int IN_ROW = 1_500;

  private final String database = PostgresServer.shared().newDatabase();
  private final AtomicLong micros = new AtomicLong(1_700_000_040L * 1_000_000);

  private PostgresStore open() {
    return Databases.open(database, Databases.PATIENT, new SetClock(micros::get));
  }

  private static BucketId bucket(Algorithm algorithm, int number) {
    BucketSpec spec =
        BucketSpec.builder("disk").algorithm(algorithm).window(Duration.ofDays(30)).build();
    return new BucketId(spec, Key.of("caller" + number));
  }

  private static List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < BUCKETS; i++) {
      claims.add(Claim.of(bucket(Algorithm.SLIDING_WINDOW, i), 1, LIMIT, LIMIT));
    }
    return claims;
  }

  /** Else each claim would leave a dead row in another page, and an entry in the index. */
  @Test
  void rowsStayOnTheirPagesHoweverOftenTheyAreReplaced() {
    replace(FIRST_ROUNDS);
    awaitUpdates(FIRST_ROUNDS - 1);
    final long table = Databases.number(database, SIZE);
    final long index = Databases.number(database, INDEX_SIZE);
    final long updatesBefore = updates("n_tup_upd");
    final long hotBefore = updates("n_tup_hot_upd");
    replace(ROUNDS);
    awaitUpdates(FIRST_ROUNDS - 1 + ROUNDS);
    long hot =
        100 * (updates("n_tup_hot_upd") - hotBefore) / (updates("n_tup_upd") - updatesBefore);
    System.out.println(
        hot + " % HOT; " + table + " bytes, then " + Databases.number(database, SIZE));
    assertTrue(hot >= 95, hot + " % of the updates stayed in their page");
    assertTrue(Databases.number(database, SIZE) <= 1.2 * table, "first " + table);
    assertEquals(index, Databases.number(database, INDEX_SIZE));
  }

  private void replace(int rounds) {
    try (PostgresStore store = open()) {
      for (int round = 0; round < rounds; round++) {
        micros.addAndGet(1_000_000);
        store.execute(claims()).toCompletableFuture().join();
      }
    }
  }

  private void awaitUpdates(long rounds) {
    Await.until("the updates are known", () -> updates("n_tup_upd") >= rounds * BUCKETS);
  }

  private long updates(String kind) {
    return Databases.number(
        database, "SELECT " + kind + " FROM pg_stat_user_tables WHERE relname = 'weir_buckets'");
  }

  /**
   * A log of leases has an entry for each slot of its window, however many permits were taken. So
   * it never grows to where PostgreSQL moves it out of its row, in pieces, at each update.
   */
  @Test
  void aLogOfThousandsOfPermitsStaysInItsRow() {
    BucketId bucket = bucket(Algorithm.SLIDING_LOG, 1);
    BucketArithmetic arithmetic = BucketArithmetic.leasing(PostgresStore.MIN_LIFE_MICROS);
    byte[] state = null;
    try (PostgresStore store = open()) {
      for (int i = 0; i < Seeds.times(100); i++) {
        micros.addAndGet(Duration.ofDays(30).toNanos() / 1_000 / 97);
        Claim claim = Claim.of(bucket, 1 + i % 50, LIMIT, LIMIT);
        BucketUpdate update = arithmetic.execute(state, claim, micros.get());
        state = update.bytes();
        assertEquals(
            Optional.of(update.grant()),
            store.execute(List.of(claim)).toCompletableFuture().join().get(0));
      }
    }
    long largest =
        Databases.number(
            database, "SELECT max(length(state)) FROM weir_buckets WHERE key > '\\x01'");
    System.out.println("a log has " + largest + " bytes");
    assertTrue(largest > 100 && largest < IN_ROW, largest + " bytes");
    assertEquals(0, Databases.number(database, TOAST_SIZE));
  }
}
