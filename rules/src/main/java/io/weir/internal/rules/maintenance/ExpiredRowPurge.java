package io.weir.internal.rules.maintenance;

import io.weir.Ticker;
import io.weir.internal.rules.database.BanRows;
import io.weir.internal.rules.database.ChangeInsert;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.Sql;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Deletes old rows while this node is the leader, in many short transactions, so that no other
 * transaction waits long for a lock.
 *
 * <p>Safe for concurrent use.
 */
public final class ExpiredRowPurge {
  /**
   * The time for which digests of forgotten users are kept: a day longer than nodes rely on, since
   * their times are the database's, and this node's clock may differ. Nodes that were cut off for
   * more than seven days drop all that they hold of users.
   */
  public static final Duration DIGESTS_KEPT = Duration.ofDays(8);

  private static final Logger LOG = System.getLogger("io.weir");
  private static final String HISTORY = "rule_changes";
  private static final String ENTRIES = "access_list";

  /** Clocks of nodes differ: until all of them see that a ban has ended, its row stays. */
  private static final Duration BANS_KEPT = Duration.ofMinutes(1);

  private static final int ROWS_PER_TRANSACTION = 1_000;

  private final RuleDatabase database;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();
  private final Leadership leadership;
  private final RetentionPeriods retention;
  private final Ticker ticker;

  private record OldRows(String table, String column, String condition, Duration kept) {}

  /**
   * Deletes nothing yet.
   *
   * @param database may be unavailable
   */
  public ExpiredRowPurge(
      RuleDatabase database, Leadership leadership, RetentionPeriods retention, Ticker ticker) {
    this.database = database;
    this.leadership = leadership;
    this.retention = retention;
    this.ticker = ticker;
  }

  public void purge() {
    Instant now = ticker.instant();
    for (OldRows each : oldRows()) {
      try {
        purge(each, now);
      } catch (RulesUnavailableException refused) { // the others may be deleted all the same
        Level level = logged.add(each.table) ? Level.WARNING : Level.DEBUG;
        LOG.log(level, "rules: old rows aren't deleted now (logged once): " + refused.getMessage());
      }
    }
  }

  private void purge(OldRows each, Instant now) {
    if (each.table.equals(HISTORY) && leadership.isLeader()) {
      int unused =
          run(
              each,
              now.minus(each.kept),
              ChangeInsert.WITHOUT_CONTENT
                  + " WHERE table_name <> '' AND "
                  + condition(each, " = "));
    }
    boolean isMore = true;
    while (isMore && leadership.isLeader() && !Thread.currentThread().isInterrupted()) {
      isMore = deleteSome(each, now.minus(each.kept)) == ROWS_PER_TRANSACTION;
    }
  }

  private List<OldRows> oldRows() {
    String people = RuleTable.ofPeople();
    return List.of(
        new OldRows("usage_minutes", "starts_at", "", retention.minutes()),
        new OldRows("usage_hourly", "starts_at", "", retention.hours()),
        new OldRows("usage_daily", "starts_at", "", retention.days()),
        new OldRows("rate_limit_violations", "timestamp", "", retention.violations()),
        new OldRows("weir_outcomes_hourly", "starts_at", "", retention.hours()),
        new OldRows("weir_forgotten_digests", "at", "", DIGESTS_KEPT),
        new OldRows("anomalies", "until", "", retention.violations()),
        new OldRows(ENTRIES, "valid_until", "", retention.violations()),
        new OldRows(ENTRIES, "valid_until", BanRows.CONDITION, BANS_KEPT),
        new OldRows(HISTORY, "at", "table_name IN " + people, retention.userHistory()),
        new OldRows(HISTORY, "at", "table_name NOT IN " + people, retention.history()));
  }

  private int deleteSome(OldRows old, Instant before) {
    return run(
        old,
        before,
        database.dialect().deleteSome(old.table, condition(old, " < "), ROWS_PER_TRANSACTION));
  }

  /**
   * Returns the condition of old rows, with the time as its parameter. By the newest change nodes
   * recognize that the database is still the same, so that only its content goes.
   */
  private static String condition(OldRows old, String toNewest) {
    return old.column
        + " < ?"
        + (old.condition.isEmpty() ? "" : " AND " + old.condition)
        + (old.table.equals(HISTORY)
            ? " AND number" + toNewest + "(SELECT MAX(number) FROM weir." + HISTORY + ")"
            : "");
  }

  private int run(OldRows old, Instant before, String sql) {
    return database.inTransaction(
        old.table + " can't be purged",
        connection ->
            database.dialect().tables(connection, Set.of(old.table)).isEmpty()
                    || old.condition.equals(BanRows.CONDITION) && !database.hasBans()
                ? 0
                : Sql.of(sql, before).update(connection));
  }
}
