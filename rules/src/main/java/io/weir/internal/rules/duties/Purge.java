package io.weir.internal.rules.duties;

import io.weir.internal.rules.database.schema.AdoptedColumns;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.WrittenTable;
import io.weir.internal.threads.DaemonThreads;
import io.weir.rules.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Deletes what is old, where this node has the duty: every ten minutes, in a thread of its own, and
 * in many short transactions, so that nobody waits for a lock.
 *
 * <p>Safe for concurrent use.
 */
public final class Purge implements AutoCloseable {
  /**
   * How long digests of forgotten users are kept: a day longer than nodes rely on, since their
   * times are the database's and this node's clock may differ. Nodes that were cut off for more
   * than seven days drop all that they hold of users.
   */
  public static final Duration DIGESTS = Duration.ofDays(8);

  private static final Logger LOG = System.getLogger("io.weir");
  private static final long FIRST_SECONDS = 60;
  private static final long EVERY_SECONDS = 600;
  private static final int ROWS = 1_000;

  private final RuleDatabase database;
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final Duty duty;
  private final Retention retention;
  private final InstantSource clock;
  private final ScheduledThreadPoolExecutor thread;

  /** What is old in a table. */
  private record Old(
      String table, String column, String condition, Duration kept, Optional<String> ownColumn) {
    Old(String table, String column, String condition, Duration kept) {
      this(table, column, condition, kept, Optional.empty());
    }

    Set<String> columns() {
      Set<String> columns = new HashSet<>(Set.of(column));
      ownColumn.ifPresent(columns::add);
      return columns;
    }
  }

  /**
   * Deletes nothing until it is started.
   *
   * @param database may be away
   * @param duty whether this node is to do it
   * @param retention how long what is kept
   * @param clock says what is old
   */
  public Purge(RuleDatabase database, Duty duty, Retention retention, InstantSource clock) {
    this.database = database;
    this.duty = duty;
    this.retention = retention;
    this.clock = clock;
    this.thread = DaemonThreads.scheduler(DaemonThreads.ofApplication("weir-rules-purge"), 1);
  }

  /** Begins to delete. */
  public void start() {
    every(Duration.ofSeconds(FIRST_SECONDS), Duration.ofSeconds(EVERY_SECONDS), this::purge);
  }

  /**
   * Has something else done in the same thread, where this node has the duty. What it throws is
   * logged, and it is tried again the next time.
   *
   * @param first when, from now
   * @param pause how long after it the next time comes
   * @param work what
   */
  public void every(Duration first, Duration pause, Runnable work) {
    var unused =
        thread.scheduleWithFixedDelay(
            () -> doQuietly(work), first.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void doQuietly(Runnable work) {
    try {
      if (duty.isMine()) {
        work.run();
      }
    } catch (RulesUnavailableException away) {
      LOG.log(Level.DEBUG, "what is old isn't deleted now: " + away.getMessage());
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "what is old can't be deleted", mistake);
    }
  }

  /** Deletes all that is old, as long as this node has the duty. */
  public void purge() {
    Instant now = clock.instant();
    for (Old each : old()) {
      try {
        purge(each, now);
      } catch (RulesUnavailableException refused) { // the others may be deleted all the same
        Level level = told.add(each.table) ? Level.WARNING : Level.DEBUG;
        LOG.log(level, "what is old isn't deleted now (said once): " + refused.getMessage());
      }
    }
  }

  private void purge(Old each, Instant now) {
    boolean isMore = true;
    while (isMore && duty.isMine() && !Thread.currentThread().isInterrupted()) {
      isMore = deleteSome(each, now.minus(each.kept)) == ROWS;
    }
  }

  private List<Old> old() {
    String users =
        Arrays.stream(RuleTable.values())
            .filter(RuleTable::isOfUsers)
            .map(table -> "'" + table.tableName() + "'")
            .collect(Collectors.joining(", ", "(", ")"));
    return List.of(
        new Old("usage_minutes", "starts_at", "", retention.minutes()),
        new Old("usage_hourly", "starts_at", "", retention.hours()),
        new Old("usage_daily", "starts_at", "", retention.days()),
        // The table may be somebody else's: rows that Weir has written name a policy.
        new Old(
            "rate_limit_violations",
            "timestamp",
            "policy IS NOT NULL",
            retention.violations(),
            Optional.of("policy")),
        new Old("weir_forgotten_digests", "at", "", DIGESTS),
        new Old("anomalies", "until", "", retention.violations()),
        // Written by an earlier version.
        new Old("rule_changes", "at", "table_name IN " + RuleTable.outsideHistory(), Duration.ZERO),
        new Old("rule_changes", "at", "table_name IN " + users, retention.userHistory()),
        new Old("rule_changes", "at", "table_name NOT IN " + users, retention.history()));
  }

  private int deleteSome(Old old, Instant before) {
    return database.inTransaction(
        old.table + " can't be purged",
        connection -> {
          WrittenTable table = WrittenTable.find(connection, old.table, old.columns()).orElse(null);
          if (table == null
              || !old.columns().stream().allMatch(table::has)
              || !isOwn(connection, old)) {
            return 0;
          }
          String condition =
              old.column + " < ?" + (old.condition.isEmpty() ? "" : " AND " + old.condition);
          try (PreparedStatement statement =
              connection.prepareStatement(
                  database.dialect().deleteSome(old.table, condition, ROWS))) {
            table.bind(statement, 1, old.column, before.toString());
            return statement.executeUpdate();
          }
        });
  }

  private static boolean isOwn(Connection connection, Old old) throws SQLException {
    return old.ownColumn.isEmpty()
        || AdoptedColumns.isOwn(connection, old.table, old.ownColumn.get());
  }

  /** Deletes no more. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
