package io.weir.internal.postgres;

import io.weir.Ticker;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to whichever of several servers is the primary. It asks all of them at once, so
 * a machine that doesn't answer delays nobody: all nodes find a new primary at about the same time,
 * and report to it what they were granted before it grants anew.
 *
 * <p>Safe for concurrent use.
 */
final class PrimaryFinder {
  private static final long NANOS_OF_MILLI = 1_000_000;
  private static final String UNREACHABLE = "08001";

  private final List<String> urls;
  private final Connector connector;
  private final ThreadFactory threads;
  private final Ticker ticker;
  private final int most;
  private final long patienceNanos;
  private final long connectNanos;
  private final Map<String, Integer> underWay = new HashMap<>();
  private final List<Search> searches = new ArrayList<>();

  /**
   * Opens nothing yet.
   *
   * @param urls an address for each server, which only a primary accepts
   * @param settings the most attempts on a server at a time, and the time for them
   */
  PrimaryFinder(
      List<String> urls,
      Connector connector,
      PostgresSettings settings,
      ThreadFactory threads,
      Ticker ticker) {
    this.urls = List.copyOf(urls);
    this.connector = connector;
    this.threads = threads;
    this.ticker = ticker;
    this.most = settings.get(PostgresSettings.CONNECTIONS);
    this.patienceNanos = settings.commandTimeout().toNanos();
    this.connectNanos = settings.get(PostgresSettings.CONNECT_TIMEOUT).toNanos();
  }

  /**
   * Opens a connection to the primary. Once any server has answered that it isn't the primary, or
   * can't be reached, the others have the time of a statement to answer.
   */
  synchronized Connection open() throws SQLException {
    Search search = new Search(ticker.nanoTime());
    searches.add(search);
    for (String url : urls) {
      if (underWay.getOrDefault(url, 0) < most) {
        start(url, search);
      }
    }
    try {
      return await(search);
    } finally {
      searches.remove(search);
    }
  }

  private void start(String url, Search search) {
    underWay.merge(url, 1, Integer::sum);
    try {
      threads.newThread(() -> attempt(url, search)).start();
    } catch (OutOfMemoryError noThread) { // the process may start no more of them just now
      ended(url, search, null, new SQLException("no thread could be started", noThread));
    }
  }

  private Connection await(Search search) throws SQLException {
    boolean interrupted = false;
    for (long left = left(search); !interrupted && left > 0; left = left(search)) {
      try {
        wait(left / NANOS_OF_MILLI + 1);
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
        interrupted = true;
      }
    }
    if (search.found != null) {
      return search.found;
    }
    throw search.failure == null
        ? new SQLException("none of the servers answered in time", UNREACHABLE)
        : search.failure;
  }

  /** Returns how much longer to wait; 0 or less if there is no use. */
  private long left(Search search) {
    long now = ticker.nanoTime();
    if (search.found != null || search.failed == urls.size()) {
      return 0;
    }
    long left = connectNanos - (now - search.began);
    return search.failed == 0 ? left : Math.min(left, patienceNanos - (now - search.firstFailed));
  }

  private void attempt(String url, Search search) {
    Connection connection = null;
    SQLException failure = null;
    try {
      connection = connector.connect(url);
    } catch (SQLException failed) {
      failure = failed;
    } catch (RuntimeException | Error broken) {
      failure = new SQLException(broken);
    }
    if (!ended(url, search, connection, failure) && connection != null) {
      try {
        connection.close();
      } catch (SQLException gone) {
        // it was closed already
      }
    }
  }

  /** Hands over what came of an attempt, if anybody waits for it. */
  private synchronized boolean ended(
      String url, Search search, @Nullable Connection connection, @Nullable SQLException failure) {
    underWay.merge(url, -1, Integer::sum);
    notifyAll();
    if (failure != null) {
      search.fail(failure, ticker.nanoTime());
    } else if (connection != null) {
      for (Search each : searches) {
        if (each.found == null) {
          each.found = connection;
          return true;
        }
      }
    }
    return false;
  }

  interface Connector {
    Connection connect(String url) throws SQLException;
  }

  /** Somebody who waits for a connection. */
  private static final class Search {
    private final long began;
    private @Nullable Connection found;
    private @Nullable SQLException failure;
    private int failed;
    private long firstFailed;

    Search(long began) {
      this.began = began;
    }

    void fail(SQLException why, long now) {
      if (failed == 0) {
        firstFailed = now;
      }
      failed++;
      // A refused login or certificate says more than a server that isn't there or the primary.
      if (failure == null
          || Failures.state(failure).startsWith("08") && ConnectionAdvice.of(failure) == null) {
        failure = why;
      }
    }
  }
}
