package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts in databases with settings that somebody else chose for other purposes. */
class ForeignSettingsTest {
  private static final String ADMIN = PostgresServer.shared().url("postgres");

  private static String name(String url) {
    return url.replaceAll(".*/(\\w+)\\?.*", "$1");
  }

  private static BucketId bucket(String caller) {
    BucketSpec spec =
        BucketSpec.builder("foreign")
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofDays(300))
            .build();
    return new BucketId(spec, Key.of(caller));
  }

  private static CompletableFuture<Long> take(PostgresStore store, String caller) {
    return store
        .execute(List.of(Claim.of(bucket(caller), 1, 1_000, 1_000)))
        .thenApply(grants -> grants.get(0).orElseThrow().permits())
        .toCompletableFuture();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "standard_conforming_strings = off",
        "idle_in_transaction_session_timeout = '1ms'",
        "search_path = ''",
        "array_nulls = off",
        "bytea_output = escape",
        "TimeZone = 'Asia/Kathmandu'"
      })
  void ofTheDatabaseChangeNothing(String setting) {
    String database = PostgresServer.shared().newDatabase();
    Databases.run(ADMIN, "ALTER DATABASE " + name(database) + " SET " + setting);
    try (PostgresStore store = Databases.open(database)) {
      assertEquals(1, take(store, "a").join());
      assertEquals(1, take(store, "a").join());
      Epoch epoch = store.epoch(0, Epoch.NONE).toCompletableFuture().join();
      assertTrue(store.epoch(0, epoch).toCompletableFuture().join().is(epoch));
      store.forget(bucket("a")).toCompletableFuture().join();
      assertEquals(0, store.sweep(0).join());
    }
  }

  /** Makes the table in encodings that lack most characters. */
  @ParameterizedTest
  @ValueSource(strings = {"LATIN2", "EUC_JP", "SQL_ASCII"})
  void encodingsDontMatter(String encoding) {
    String database = "encoded_" + encoding.toLowerCase(Locale.ROOT);
    Databases.run(
        ADMIN,
        "CREATE DATABASE "
            + database
            + " TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C' ENCODING '"
            + encoding
            + "'");
    try (PostgresStore store = Databases.open(PostgresServer.shared().url(database))) {
      assertEquals(1, take(store, "a").join());
    }
  }

  /** With these a statement fails if another one was faster, and has to be repeated. */
  @ParameterizedTest
  @ValueSource(strings = {"repeatable read", "serializable"})
  void noClaimFailsWhateverTheIsolation(String isolation) {
    String database = PostgresServer.shared().newDatabase();
    Databases.run(
        ADMIN,
        "ALTER DATABASE "
            + name(database)
            + " SET default_transaction_isolation = '"
            + isolation
            + "'");
    SmallPool pool = new SmallPool(PostgresServer.source(database), 8);
    List<PostgresStore> nodes = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      nodes.add(Databases.open(database));
      nodes.add(BorrowedConnectionsTest.open(pool));
    }
    try {
      for (int i = 0; i < 50; i++) {
        List<CompletableFuture<Long>> answers =
            nodes.stream().map(each -> take(each, "a")).toList();
        answers.forEach(each -> assertEquals(1, each.join()));
      }
    } finally {
      nodes.forEach(PostgresStore::close);
      pool.close();
    }
  }

  @Test
  void connectionsThatRestAreKept() {
    String database = PostgresServer.shared().newDatabase();
    Databases.run(
        ADMIN, "ALTER DATABASE " + name(database) + " SET idle_session_timeout = '100ms'");
    String watched = database + "&options=-c%20idle_session_timeout=0";
    String own =
        " FROM pg_stat_activity WHERE application_name = 'weir' AND datname = current_database()";
    try (PostgresStore store = Databases.open(database)) {
      Await.until(
          "all connections are open",
          () -> {
            List<CompletableFuture<Long>> many = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
              many.add(take(store, "a" + i));
            }
            // A busy machine may let one rest too long before it has its settings.
            many.forEach(each -> each.handle((granted, failure) -> 0).join());
            return Databases.number(watched, "SELECT count(*)" + own) == 4;
          });
      Databases.run(watched, "SELECT pg_sleep(0.3)");
      long micros = Databases.number(watched, "SELECT " + StoreClock.SQL);
      assertEquals(4, Databases.number(watched, "SELECT count(*)" + own), "the server ended none");
      String used = own + " AND extract(epoch from state_change) * 1000000 > " + micros;
      Await.until(
          "the store's own tasks use each of them",
          () -> {
            store.connect().toCompletableFuture().join();
            return Databases.number(watched, "SELECT count(*)" + used) == 4;
          });
    }
  }
}
