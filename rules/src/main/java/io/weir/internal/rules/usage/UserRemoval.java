package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.BanRows;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Removes users everywhere, in two steps. The first deletes all rows, and adds a digest of the user
 * to a table that each node reads in the transaction that writes usage. Triggers report the deleted
 * rows, so that nodes drop what they have cached; so the second step, a minute later, removes these
 * reports from the history and what was written meanwhile. The digest stays for eight days, for
 * nodes that are cut off.
 *
 * <p>Safe for concurrent use.
 */
public final class UserRemoval {
  public static final Duration SECOND_STEP_DELAY = Duration.ofMinutes(1);

  /** Tables that people edit and triggers watch. */
  private static final List<String> EDITED =
      Arrays.stream(RuleTable.values())
          .filter(RuleTable::isOfUsers)
          .map(RuleTable::tableName)
          .toList();

  /** Tables that nodes write. */
  private static final List<String> WRITTEN =
      List.of(
          "quota_periods",
          "rate_limit_violations",
          "usage_minutes",
          "usage_hourly",
          "usage_daily",
          "usage_total",
          "user_behaviors");

  private static final String ENTRIES = RuleTable.ENTRIES.tableName();
  private static final String HISTORY = "rule_changes";
  private static final String AUTHOR = "forgotten";
  private static final int MAX_USERS_AT_ONCE = 100;

  private final RuleDatabase database;

  public UserRemoval(RuleDatabase database) {
    this.database = database;
  }

  /**
   * Takes the first step.
   *
   * @throws io.weir.rules.problem.RulesUnavailableException if it can't be done
   */
  public void forget(String userId) {
    database.inTransaction(
        "the data of a user can't be deleted",
        connection -> {
          Dialect dialect = database.dialect();
          Set<String> tables = tables(connection, dialect);
          removeHistory(connection, dialect, tables, userId);
          dialect.beginChange(connection, AUTHOR);
          try {
            removeRows(connection, tables, EDITED, userId);
            removeEntries(connection, tables, userId);
          } finally {
            dialect.endChange(connection);
          }
          removeRows(connection, tables, WRITTEN, userId);
          if (tables.contains(PendingRemovals.TABLE)) {
            removeRows(connection, tables, List.of(PendingRemovals.TABLE), userId);
            PendingRemovals.add(connection, userId);
          }
          if (tables.contains(UserTombstones.TABLE)) {
            UserTombstones.add(connection, userId);
          }
          return true;
        });
  }

  /**
   * Takes the second step for users whose first step is long enough ago by the database's clock.
   *
   * @param delay the least time since the first step
   * @throws io.weir.rules.problem.RulesUnavailableException if it can't be done
   */
  public void finish(Duration delay) {
    for (String userId : PendingRemovals.addedBefore(database, delay, MAX_USERS_AT_ONCE)) {
      database.inTransaction(
          "the data of a user can't be deleted",
          connection -> {
            Dialect dialect = database.dialect();
            Set<String> tables = tables(connection, dialect);
            removeRows(connection, tables, WRITTEN, userId);
            removeHistory(connection, dialect, tables, userId);
            removeRows(connection, tables, List.of(PendingRemovals.TABLE), userId);
            return true;
          });
    }
  }

  private static Set<String> tables(Connection connection, Dialect dialect) throws SQLException {
    Set<String> wanted = new TreeSet<>(EDITED);
    wanted.addAll(WRITTEN);
    wanted.add(ENTRIES);
    wanted.add(HISTORY);
    wanted.add(PendingRemovals.TABLE);
    wanted.add(UserTombstones.TABLE);
    return dialect.tables(connection, wanted);
  }

  private static void removeRows(
      Connection connection, Set<String> tables, List<String> some, String userId)
      throws SQLException {
    for (String table : some) {
      if (tables.contains(table)) {
        Sql.of("DELETE FROM weir." + table + " WHERE user_id = ?", userId).update(connection);
      }
    }
  }

  private static void removeHistory(
      Connection connection, Dialect dialect, Set<String> tables, String userId)
      throws SQLException {
    if (tables.contains(HISTORY)) {
      dialect.removeHistory(connection, EDITED, RuleTable.USER_ID, userId);
      for (String subject : subjects(userId)) {
        dialect.removeHistory(connection, List.of(ENTRIES), BanRows.SUBJECT, subject);
      }
      for (String part : ofPolicies(userId)) {
        dialect.removeBans(connection, part);
      }
    }
  }

  private static void removeEntries(Connection connection, Set<String> tables, String userId)
      throws SQLException {
    if (tables.contains(ENTRIES)) {
      Sql.of("DELETE FROM weir." + ENTRIES + " WHERE subject IN ")
          .then(Sql.list(subjects(userId)))
          .update(connection);
      for (String part : ofPolicies(userId)) {
        Sql.of(
                "DELETE FROM weir."
                    + ENTRIES
                    + " WHERE action = 'BAN' AND POSITION(? IN subject || ',') > 0",
                part + ",")
            .update(connection);
      }
    }
  }

  /** Returns the subjects of entries of a user, which a row has by its name or by its key. */
  private static List<String> subjects(String userId) {
    return List.of("user:" + userId, "key:" + userId);
  }

  /** Returns the parts that subjects of bans by a policy have of a user. */
  private static List<String> ofPolicies(String userId) {
    String escaped = userId.replace("%", "%25").replace(",", "%2C");
    return Stream.of(":", ",")
        .flatMap(before -> subjects(escaped).stream().map(subject -> before + subject))
        .toList();
  }
}
