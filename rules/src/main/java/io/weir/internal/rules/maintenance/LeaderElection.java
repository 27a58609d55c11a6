package io.weir.internal.rules.maintenance;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.Sql;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Elects one leader among the nodes of a database: the holder of a row of {@code weir_duties}. The
 * leader renews the row in a thread of its own. When it no longer does, the row expires by the
 * database's clock, and the next node that tries becomes the leader.
 *
 * <p>A leader counts from the moment before its renewal, by a clock that doesn't jump: so it stops
 * before another node can begin.
 *
 * <p>Safe for concurrent use.
 */
public final class LeaderElection implements Leadership, AutoCloseable {
  public static final Duration USUAL_HOLD = Duration.ofSeconds(20);

  private static final Logger LOG = System.getLogger("io.weir");
  private static final String FAILURE = "the leader of the nodes can't be elected";
  private static final String TABLE = "weir_duties";
  private static final int RENEWALS_PER_HOLD = 4;
  private static final long RESIGNATION_MILLIS = 1_000;

  private final RuleDatabase database;
  private final String name;
  private final String node;
  private final Duration hold;
  private final Ticker ticker;
  private final ScheduledThreadPoolExecutor thread;

  /** The end of this node's leadership, in nanoseconds of the ticker. */
  private volatile long leaderUntil;

  private volatile boolean isElected;

  /** Logs a missing table only once. Confined to the thread. */
  private boolean isMissingTableLogged;

  /**
   * Creates a candidate, which stands for election once it is started.
   *
   * @param database may be unavailable
   * @param name names the election, at most 50 characters
   * @param node identifies this node among all others
   * @param hold how long a node is the leader after a renewal
   */
  public LeaderElection(
      RuleDatabase database, String name, String node, Duration hold, Ticker ticker) {
    this.database = database;
    this.name = name;
    this.node = node;
    this.hold = hold;
    this.ticker = ticker;
    this.thread =
        DaemonThreadFactory.scheduler(DaemonThreadFactory.ofApplication("weir-rules-leader"), 1);
  }

  public void start() {
    long nanos = hold.toNanos() / RENEWALS_PER_HOLD;
    var unused = thread.scheduleWithFixedDelay(this::stand, 0, nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean isLeader() {
    return isElected && ticker.nanoTime() - leaderUntil < 0;
  }

  private void stand() {
    try {
      long before = ticker.nanoTime();
      boolean isGiven = database.inTransaction(FAILURE, this::holdRow);
      leaderUntil = before + hold.toNanos();
      isElected = isGiven;
    } catch (RulesUnavailableException away) {
      // The feed reports that the database is unavailable; the leadership ends by itself.
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, FAILURE, mistake);
    }
  }

  private boolean holdRow(Connection connection) throws SQLException {
    if (database.dialect().tables(connection, Set.of(TABLE)).isEmpty()) {
      if (!isMissingTableLogged) {
        isMissingTableLogged = true;
        LOG.log(
            Level.WARNING,
            "rules: the database has no table weir_duties: old rows aren't deleted, and anomalies"
                + " aren't detected");
      }
      return false;
    }
    return renew(connection) || insert(connection);
  }

  private boolean renew(Connection connection) throws SQLException {
    int changed =
        Sql.of(
                "UPDATE weir.weir_duties SET holder = ?, until = "
                    + end()
                    + " WHERE name = ? AND (holder = ? OR until < CURRENT_TIMESTAMP)",
                node,
                name,
                node)
            .update(connection);
    return changed == 1;
  }

  /** Adds the row; if another node was first, the transaction fails or changes nothing. */
  private boolean insert(Connection connection) throws SQLException {
    int added =
        Sql.of(
                "INSERT INTO weir.weir_duties (name, holder, until) SELECT CAST(? AS VARCHAR(50)),"
                    + " CAST(? AS VARCHAR(100)), "
                    + end()
                    + " WHERE NOT EXISTS (SELECT 1 FROM weir.weir_duties WHERE name = ?)",
                name,
                node,
                name)
            .update(connection);
    return added == 1;
  }

  private String end() {
    return "CURRENT_TIMESTAMP + INTERVAL '" + hold.toMillis() / 1_000.0 + "' SECOND";
  }

  /** Resigns, so that another node needn't wait for the row to expire. Idempotent. */
  @Override
  public void close() {
    if (!thread.isShutdown()) {
      var last = thread.submit(this::resign);
      thread.shutdown();
      try {
        last.get(RESIGNATION_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException away) {
        // The row expires.
      }
      thread.shutdownNow();
      isElected = false;
    }
  }

  private @Nullable Boolean resign() {
    if (!isLeader()) {
      return null;
    }
    isElected = false;
    return database.inTransaction(
        FAILURE,
        connection ->
            Sql.of("DELETE FROM weir.weir_duties WHERE name = ? AND holder = ?", name, node)
                    .update(connection)
                == 1);
  }
}
