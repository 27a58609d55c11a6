package io.weir.internal.postgres;

import io.weir.Ticker;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.store.StoreFailureLog;
import io.weir.store.BucketHasher;
import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

/** Opens stores on real servers. */
final class Databases {
  /** Waits of tests aren't about time, and machines are busy. */
  static final Map<String, String> PATIENT = Map.of("weir.store.timeout", "10s");

  private static final String SHARED = PostgresServer.shared().newDatabase();

  private Databases() {}

  /** The address of the database that tests share. */
  static String shared() {
    return SHARED;
  }

  /** The same through a proxy that listens on a port. */
  static String through(int port) {
    return SHARED.replace(":" + PostgresServer.shared().port() + "/", ":" + port + "/");
  }

  static PostgresStore open(String url) {
    return open(url, PATIENT, new StoreClock(Ticker.system()));
  }

  static PostgresStore open(String url, Map<String, String> settings, StoreClock clock) {
    return open(url, settings, clock, "secret");
  }

  static PostgresStore open(
      String url, Map<String, String> settings, StoreClock clock, String secret) {
    return PostgresProvider.open(
        PostgresAddress.parse(URI.create(url)),
        new PostgresSettings(name -> settings.getOrDefault(name, PATIENT.getOrDefault(name, ""))),
        BucketHasher.of(secret),
        clock,
        Ticker.system());
  }

  /** Makes the workers of a store. */
  static PostgresWorkers workers(
      ConnectionSource source, PostgresSettings settings, Ticker ticker, ThreadFactory threads) {
    StoreClock clock = new StoreClock(ticker);
    StoreFailureLog log = new StoreFailureLog("any", ticker);
    return new PostgresWorkers(
        source,
        new SessionContext(settings, clock, new SilenceMeter(ticker)),
        settings,
        new PostgresSchema(settings, log, PostgresStore.MIN_LIFE_MICROS),
        new BucketTable(settings.table(), new EpochCondition(settings.table()), clock),
        log,
        threads);
  }

  /** Runs SQL as a superuser. */
  static void run(String url, String sql) {
    try (Connection connection = PostgresServer.source(url).getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Reads one number as a superuser; 0 if there is no row. */
  static long number(String url, String sql) {
    try (Connection connection = PostgresServer.source(url).getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getLong(1) : 0;
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
