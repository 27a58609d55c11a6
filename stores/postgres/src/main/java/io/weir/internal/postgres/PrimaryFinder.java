package io.weir.internal.postgres;

import io.weir.Ticker;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to whichever of several servers is the primary. It asks all of them at once, so
 * a machine that doesn't answer delays nobody: all nodes find a new primary at about the same time,
 * and report to it what they were granted before it grants anew. Once it has found another one, it
 * aborts the connections to the last: what waits for it there would wait until its time-out.
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

  /** The server that was the primary last, and the connections to it that may still be open. */
  private String primary = "";

  private List<Connection> toPrimary = new ArrayList<>();

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
   * can't be reached, the others have the time of a statement to answer. After half of that it is
   * asked again, as it may have become the primary.
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
        wait(Math.min(left, askAgain(search)) / NANOS_OF_MILLI + 1);
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
    if (search.found != null || search.failed.size() == urls.size()) {
      return 0;
    }
    long left = connectNanos - (now - search.began);
    return search.failed.isEmpty()
        ? left
        : Math.min(left, patienceNanos - (now - search.firstFailed));
  }

  /** Asks servers again if it is time to; returns the time until the next time. */
  private long askAgain(Search search) {
    long interval = Math.max(NANOS_OF_MILLI, patienceNanos / 2);
    if (search.failed.isEmpty()) {
      return interval;
    }
    long now = ticker.nanoTime();
    long left = interval - (now - search.askedAt);
    if (left > 0) {
      return left;
    }
    search.askedAt = now;
    for (String url : List.copyOf(search.failed)) {
      if (underWay.getOrDefault(url, 0) == 0) {
        start(url, search);
      }
    }
    return interval;
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
    if (connection == null) {
      ended(url, search, null, failure);
      return;
    }
    boolean used;
    List<Connection> left;
    synchronized (this) {
      used = ended(url, search, connection, failure);
      left = used ? leaveOthers(url, connection) : List.of();
    }
    if (!used) {
      Connections.close(connection);
    }
    left.forEach(Connections::abort);
  }

  /** Remembers a connection to the primary; returns those to what was the primary before. */
  private List<Connection> leaveOthers(String url, Connection connection) {
    List<Connection> left = List.of();
    if (!url.equals(primary)) {
      left = toPrimary;
      primary = url;
      toPrimary = new ArrayList<>();
    }
    toPrimary.removeIf(each -> !Connections.isOpen(each));
    toPrimary.add(connection);
    return left;
  }

  /** Hands over what came of an attempt, if anybody waits for it. */
  private synchronized boolean ended(
      String url, Search search, @Nullable Connection connection, @Nullable SQLException failure) {
    underWay.merge(url, -1, Integer::sum);
    notifyAll();
    if (failure != null) {
      search.fail(url, failure, ticker.nanoTime());
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
    private final Set<String> failed = new HashSet<>();
    private @Nullable Connection found;
    private @Nullable SQLException failure;
    private long firstFailed;

    /** When servers that had failed were asked last. */
    private long askedAt;

    Search(long began) {
      this.began = began;
    }

    void fail(String url, SQLException why, long now) {
      if (failed.isEmpty()) {
        firstFailed = now;
        askedAt = now;
      }
      failed.add(url);
      // A refused login or certificate says more than a server that isn't there or the primary.
      if (failure == null
          || Failures.state(failure).startsWith("08") && ConnectionAdvice.of(failure) == null) {
        failure = why;
      }
    }
  }
}
