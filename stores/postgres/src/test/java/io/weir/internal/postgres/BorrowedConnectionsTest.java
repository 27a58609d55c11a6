package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.compat.postgres.PostgresServer;
import io.weir.store.BucketHasher;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;

/** Borrows connections of an application's pool, which resets nothing by itself. */
class BorrowedConnectionsTest {
  private static final String CREATE = "weir.store.postgres.create-schema";

  private final String database = PostgresServer.shared().newDatabase();
  private final SmallPool pool = new SmallPool(PostgresServer.source(database), 2);

  @AfterEach
  void close() {
    pool.close();
  }

  static PostgresStore open(SmallPool pool) {
    return open(pool, Map.of());
  }

  private static PostgresStore open(SmallPool pool, Map<String, String> settings) {
    Ticker ticker = Ticker.system();
    PostgresSettings read =
        new PostgresSettings(
            name -> settings.getOrDefault(name, Databases.PATIENT.getOrDefault(name, "")));
    return new PostgresStore(
        PostgresAddress.parse(URI.create("datasource:limits")),
        read,
        pool,
        BucketHasher.of("secret"),
        new StoreClock(ticker),
        ticker);
  }

  @Test
  void goBackAsTheyCame() throws SQLException {
    for (Connection each : pool.idle()) {
      each.setAutoCommit(false);
      each.setNetworkTimeout(Runnable::run, 77_000);
      each.unwrap(PGConnection.class).setPrepareThreshold(7);
    }
    try (PostgresStore store = open(pool)) {
      for (int i = 0; i < 5; i++) {
        assertEquals(1, PostgresSchemaTest.take(store, 1));
      }
    }
    assertEquals(2, pool.idle().size());
    for (Connection each : pool.idle()) {
      assertFalse(each.getAutoCommit());
      assertEquals(77_000, each.getNetworkTimeout());
      assertEquals(7, each.unwrap(PGConnection.class).getPrepareThreshold());
    }
  }

  @Test
  void goBackWhenAnOperatorHasToDoSomething() {
    try (PostgresStore store = open(pool, Map.of(CREATE, "false"))) {
      for (int i = 0; i < 3; i++) {
        CompletionException missing =
            assertThrows(CompletionException.class, () -> PostgresSchemaTest.take(store, 1));
        assertTrue(missing.getCause().getMessage().contains("is missing"), missing.toString());
      }
    }
    assertEquals(2, pool.idle().size());
  }

  @ParameterizedTest
  @CsvSource({"PostgreSQL JDBC Driver, 42, 2", "H2 JDBC Driver, 2, 4"})
  void ofDriversThatCantCountAreRefusedByName(String driver, int major, int minor) {
    pool.describe(driver, major, minor);
    try (PostgresStore store = open(pool)) {
      CompletionException refused =
          assertThrows(CompletionException.class, () -> PostgresSchemaTest.take(store, 1));
      assertEquals(
          "Weir needs the driver of PostgreSQL, 42.3 or newer, not "
              + driver
              + " "
              + major
              + "."
              + minor,
          refused.getCause().getMessage());
    }
    assertEquals(2, pool.idle().size());
  }

  @Test
  void goBackWhenTheyFail() {
    pool.fail(true);
    try (PostgresStore store = open(pool)) {
      assertThrows(CompletionException.class, () -> PostgresSchemaTest.take(store, 1));
      pool.fail(false);
      assertEquals(1, PostgresSchemaTest.take(store, 1));
    }
    assertEquals(1, pool.idle().size(), "the other one was ended");
    assertEquals(0, pool.borrowed());
  }
}
