package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.OperatorTraps;
import io.weir.compat.postgres.PostgresServer;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.StepRefillRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Counts where a stranger may create in {@code public}, as anybody may in databases that PostgreSQL
 * 14 made, and has made operators and functions there that fit better than PostgreSQL's own.
 */
class StrangersOperatorsTest {
  private static final PostgresServer SERVER = PostgresServer.shared();

  /** A database with two plain roles, of which one owns it. */
  private static String database(String role) {
    String database = SERVER.newDatabase();
    Databases.run(
        database,
        """
        DO $$ BEGIN
          CREATE ROLE counter LOGIN; CREATE ROLE stranger LOGIN;
        EXCEPTION WHEN duplicate_object THEN NULL; END $$;
        GRANT CREATE ON SCHEMA public TO PUBLIC;
        """);
    return as(database, role);
  }

  private static String as(String database, String role) {
    return database.replaceAll("user=\\w+", "user=" + role);
  }

  /** With settings as of a connection of Weir's own, and of a pooler's. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "false"})
  void areNeverExecuted(String prepared) {
    String counter = database("counter");
    assertTrue(OperatorTraps.set(as(counter, "stranger"), "public") > 500);
    useAll(counter, prepared);
  }

  /** A pool of the application, whose own search path has the stranger's schema. */
  @Test
  void areNeverExecutedOnBorrowedConnections() {
    String counter = database("counter");
    assertTrue(OperatorTraps.set(as(counter, "stranger"), "public") > 500);
    SmallPool pool = new SmallPool(PostgresServer.source(counter), 2);
    try (PostgresStore store = BorrowedConnectionsTest.open(pool)) {
      useAll(store, counter);
    } finally {
      pool.close();
    }
  }

  /** Whatever the search path: the traps are beside PostgreSQL's own operators. */
  @Test
  void noStatementNeedsAConversion() {
    String counter = database("counter");
    assertTrue(OperatorTraps.set(as(counter, "postgres")) > 500);
    useAll(counter, "auto");
    for (String page : DocumentedSql.PAGES) {
      Databases.run(counter, DocumentedSql.block(page, "DELETE"));
    }
    Databases.run(counter, "SELECT " + StoreClock.SQL);
  }

  /** Sends each kind of statement. */
  private static void useAll(String url, String prepared) {
    Map<String, String> settings = new HashMap<>(Databases.PATIENT);
    settings.put("weir.store.postgres.prepared-statements", prepared);
    settings.put("weir.store.postgres.durability", "synchronous");
    settings.put("weir.store.postgres.connections", "1");
    StoreClock clock = new StoreClock(Ticker.system());
    try (PostgresStore store = Databases.open(url, settings, clock)) {
      useAll(store, url);
    }
  }

  private static void useAll(PostgresStore store, String url) {
    done(store.connect());
    Epoch epoch = done(store.epoch(0, Epoch.NONE));
    for (int i = 0; i < 2; i++) {
      claim(store, epoch, 1);
      claim(store, epoch, 3);
    }
    done(store.heartbeat("a"));
    done(store.leave("a"));
    done(store.forget(bucket(0)));
    assertEquals(2, done(store.scan(bucket(0).spec(), 10, "", 100)).buckets().size());
    done(
        store
            .exactBuckets()
            .orElseThrow()
            .execute(StepRefillRequest.builder(new byte[] {1}, 10, 1_000).take(1).build()));
    store.sweep(0).join();
    Databases.run(url, "DELETE FROM public.weir_buckets");
    assertTrue(done(store.epoch(0, epoch)).wiped());
    Databases.run(
        SERVER.url("postgres"),
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'weir'"
            + " AND datname = '"
            + url.replaceAll(".*/(\\w+)\\?.*", "$1")
            + "'");
    Await.until("it is connected again", () -> isConnected(store));
  }

  private static boolean isConnected(PostgresStore store) {
    return done(store.connect().handle((any, failure) -> failure == null));
  }

  private static void claim(PostgresStore store, Epoch epoch, int buckets) {
    List<Claim> claims =
        IntStream.range(0, buckets).mapToObj(i -> Claim.of(bucket(i), 1, 10, 10)).toList();
    done(store.execute(0, epoch, claims)).forEach(each -> assertTrue(each.isPresent()));
  }

  private static BucketId bucket(int number) {
    BucketSpec spec =
        BucketSpec.builder("strange")
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofDays(300))
            .build();
    return new BucketId(spec, Key.of("caller" + number));
  }

  private static <T> T done(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
