package io.weir.internal.rules.maintenance;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.threads.DaemonThreads;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One duty, which a row of {@code weir_duties} gives to one node at a time. Its holder renews the
 * row in a thread of its own. When it no longer does, the row ends by the database's clock, and the
 * next node that asks takes it.
 *
 * <p>The holder counts from the moment before it asked, by a clock that doesn't jump: so it gives
 * up before anybody else can begin.
 *
 * <p>Safe for concurrent use.
 */
public final class LeaderElection implements Leadership, AutoCloseable {
  /** How long a node has the duty after it has renewed it, unless set. */
  public static final Duration USUAL_HOLD = Duration.ofSeconds(20);

  private static final Logger LOG = System.getLogger("io.weir");
  private static final String TABLE = "weir_duties";
  private static final int RENEWALS_A_HOLD = 4;
  private static final long LAST_WORD_MILLIS = 1_000;

  private final RuleDatabase database;
  private final String name;
  private final String node;
  private final Duration hold;
  private final ScheduledThreadPoolExecutor thread;

  /** When it ends here, by {@link System#nanoTime()}. */
  private volatile long mineUntil;

  private volatile boolean isHolder;

  /** Of the thread: whether it was told that there is no table. */
  private boolean isTold;

  /**
   * Holds nothing until it is started.
   *
   * @param database may be away
   * @param name the duty's, of at most 50 characters
   * @param node what tells this node from all others
   * @param hold how long it has the duty after it has renewed it
   */
  public LeaderElection(RuleDatabase database, String name, String node, Duration hold) {
    this.database = database;
    this.name = name;
    this.node = node;
    this.hold = hold;
    this.thread = DaemonThreads.scheduler(DaemonThreads.ofApplication("weir-rules-duties"), 1);
  }

  /** Begins to ask for the duty. */
  public void start() {
    long nanos = hold.toNanos() / RENEWALS_A_HOLD;
    var unused = thread.scheduleWithFixedDelay(this::ask, 0, nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean isMine() {
    return isHolder && System.nanoTime() - mineUntil < 0;
  }

  private void ask() {
    try {
      long before = System.nanoTime();
      boolean isGiven =
          database.inTransaction("duties can't be shared", connection -> take(connection));
      mineUntil = before + hold.toNanos();
      isHolder = isGiven;
    } catch (RulesUnavailableException away) {
      // The feed tells that the database is away; the duty ends here by itself.
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "duties can't be shared", mistake);
    }
  }

  private boolean take(Connection connection) throws SQLException {
    if (database.dialect().tables(connection, Set.of(TABLE)).isEmpty()) {
      if (!isTold) {
        isTold = true;
        LOG.log(Level.WARNING, "there is no table weir_duties: what is old isn't deleted by Weir");
      }
      return false;
    }
    return renew(connection) || isFirst(connection);
  }

  private boolean renew(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "UPDATE weir_duties SET holder = ?, until = "
                + end()
                + " WHERE name = ? AND (holder = ? OR until < CURRENT_TIMESTAMP)")) {
      statement.setString(1, node);
      statement.setString(2, name);
      statement.setString(3, node);
      return statement.executeUpdate() == 1;
    }
  }

  /** Where somebody else was first, the transaction fails, or changes nothing. */
  private boolean isFirst(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO weir_duties (name, holder, until) SELECT CAST(? AS VARCHAR(50)),"
                + " CAST(? AS VARCHAR(100)), "
                + end()
                + " WHERE NOT EXISTS (SELECT 1 FROM weir_duties WHERE name = ?)")) {
      statement.setString(1, name);
      statement.setString(2, node);
      statement.setString(3, name);
      return statement.executeUpdate() == 1;
    }
  }

  private String end() {
    return "CURRENT_TIMESTAMP + INTERVAL '" + hold.toMillis() / 1_000.0 + "' SECOND";
  }

  /** Gives the duty back, so that another node needn't wait. Idempotent. */
  @Override
  public void close() {
    if (!thread.isShutdown()) {
      var last = thread.submit(this::giveBack);
      thread.shutdown();
      try {
        last.get(LAST_WORD_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException away) {
        // then it ends by itself
      }
      thread.shutdownNow();
      isHolder = false;
    }
  }

  private @Nullable Boolean giveBack() {
    if (!isMine()) {
      return null;
    }
    isHolder = false;
    return database.inTransaction(
        "duties can't be shared",
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "DELETE FROM weir_duties WHERE name = ? AND holder = ?")) {
            statement.setString(1, name);
            statement.setString(2, node);
            return statement.executeUpdate() == 1;
          }
        });
  }
}
