package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.test.log.LogLines;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows that have expired leave. */
class ExpiredRowSweepTest {
  private static final int ROWS = 2_500;

  private final String database = PostgresServer.shared().newDatabase();

  private long rows() {
    return Databases.number(
        database, "SELECT count(*) FROM weir_buckets WHERE key >= '\\x01'::bytea");
  }

  private static void fill(PostgresStore store, Duration window, int number) {
    BucketSpec spec =
        BucketSpec.builder("sweep" + window)
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(window)
            .build();
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      claims.add(Claim.of(new BucketId(spec, Key.of("caller" + i)), 1, 10, 10));
    }
    store
        .execute(claims)
        .toCompletableFuture()
        .join()
        .forEach(each -> assertEquals(1, each.orElseThrow().permits()));
  }

  @Test
  void sliceBySliceAndOthersStay() {
    try (PostgresStore store = Databases.open(database)) {
      fill(store, Duration.ofMillis(10), ROWS);
      fill(store, Duration.ofDays(300), 500);
      Await.until(
          "all have expired",
          () ->
              Databases.number(
                      database,
                      "SELECT count(*) FROM weir_buckets WHERE key >= '\\x01'::bytea"
                          + " AND expires_at < "
                          + StoreClock.SQL)
                  >= ROWS);
      int removed = 0;
      for (int i = 0; i < 3; i++) {
        removed += store.sweep(0).join();
      }
      assertEquals(ROWS, removed);
      assertEquals(500, rows());
    }
  }

  /** A row that another transaction holds is left for the next time, without a wait. */
  @Test
  void lockedRowsAreSkipped() throws SQLException {
    try (PostgresStore store = Databases.open(database)) {
      fill(store, Duration.ofMillis(10), 10);
      Await.until("all have expired", () -> store.sweep(-60_000_000).join() >= 0);
      fill(store, Duration.ofMillis(10), 10);
      try (Connection holder = PostgresServer.source(database).getConnection();
          Statement statement = holder.createStatement()) {
        holder.setAutoCommit(false);
        statement.execute(
            "SELECT key FROM weir_buckets WHERE key >= '\\x01'::bytea LIMIT 4 FOR UPDATE");
        int removed = 0;
        for (int i = 0; i < 2; i++) {
          removed += store.sweep(-60_000_000).join();
        }
        assertEquals(6, removed);
        holder.rollback();
      }
      assertEquals(4, rows());
    }
  }

  /** A node remembers rows that another node has removed. */
  @Test
  void aClaimWhoseRowIsGoneStartsOver() {
    BucketSpec spec =
        BucketSpec.builder("gone")
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofDays(300))
            .build();
    try (PostgresStore store = Databases.open(database)) {
      for (int buckets : new int[] {1, 3}) { // by either kind of statement
        assertEquals(10L * buckets, take(store, spec, buckets));
        assertEquals(0, take(store, spec, buckets));
        Databases.run(database, "DELETE FROM weir_buckets WHERE key >= '\\x01'");
        assertEquals(10L * buckets, take(store, spec, buckets));
        assertEquals(buckets, rows());
        Databases.run(database, "DELETE FROM weir_buckets WHERE key >= '\\x01'");
      }
    }
  }

  private static long take(PostgresStore store, BucketSpec spec, int buckets) {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < buckets; i++) {
      claims.add(Claim.of(new BucketId(spec, Key.of("caller" + i)), 10, 10, 10));
    }
    return store.execute(claims).toCompletableFuture().join().stream()
        .mapToLong(each -> each.orElseThrow().permits())
        .sum();
  }

  /** By itself, once a node has sent a heartbeat. */
  @Test
  void runsAsLongAsANodeLives() {
    try (PostgresStore store =
        Databases.open(database, Databases.PATIENT, new StoreClock(Ticker.system()))) {
      fill(store, Duration.ofMillis(10), 50);
      Databases.run(
          database,
          "UPDATE weir_buckets SET expires_at = expires_at - 120000000 WHERE key >= '\\x01'");
      assertTrue(store.heartbeat("node").toCompletableFuture().join().live() == 1);
      Await.until("they are gone", () -> rows() == 0);
    }
  }

  /** As on a slow disk, or with a short time-out: a whole slice would take longer each time. */
  @Test
  void slicesAreNoLargerThanTheTimeOfAStatementAllows() {
    try (PostgresStore patient = Databases.open(database)) {
      fill(patient, Duration.ofMillis(10), 100);
    }
    Databases.run(
        database,
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN PERFORM pg_sleep(0.005); RETURN OLD; END';"
            + "CREATE TRIGGER slow BEFORE DELETE ON weir_buckets"
            + " FOR EACH ROW EXECUTE FUNCTION slow()");
    try (PostgresStore store =
        Databases.open(
            database, Map.of("weir.store.timeout", "100ms"), new StoreClock(Ticker.system()))) {
      Await.until("they are gone", () -> isSwept(store) && rows() == 0);
    }
  }

  private static boolean isSwept(PostgresStore store) {
    return store.sweep(0).handle((removed, failure) -> failure == null).join();
  }

  @Test
  void aUserThatMayNotRemoveRowsIsToldOnceAndClaimsWork() {
    Databases.run(database, "DROP ROLE IF EXISTS keeps; CREATE ROLE keeps LOGIN");
    try (PostgresStore owner = Databases.open(database)) {
      fill(owner, Duration.ofDays(300), 1);
    }
    Databases.run(database, "GRANT SELECT, INSERT, UPDATE ON weir_buckets TO keeps");
    try (LogLines log = new LogLines();
        PostgresStore store = Databases.open(database.replace("user=postgres", "user=keeps"))) {
      for (int i = 0; i < 3; i++) {
        assertFalse(isSwept(store));
        fill(store, Duration.ofDays(300), 1);
      }
      assertEquals(1, log.lines().size(), log.lines().toString());
      String line = log.warnings().get(0);
      assertTrue(line.contains("expired rows aren't deleted, since its user may not do so"), line);
      assertTrue(line.contains("DELETE ON \"public\".\"weir_buckets\" TO WEIR_USER;"), line);
    }
    Databases.run(database, "DROP OWNED BY keeps; DROP ROLE keeps");
  }
}
