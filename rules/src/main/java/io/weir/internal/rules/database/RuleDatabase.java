package io.weir.internal.rules.database;

import io.weir.rules.history.RuleChange;
import io.weir.rules.problem.ConflictException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Reads and changes the rows of the tables. Each call is a transaction of its own, in the thread of
 * the caller; if the database can't be reached, it throws {@link
 * io.weir.rules.problem.RulesUnavailableException}.
 *
 * <p>Safe for concurrent use.
 */
public interface RuleDatabase {
  /** The most users that one statement may name. */
  int MAX_USERS = 500;

  /** The most keys of other rows that one statement may name. */
  int MAX_KEYS = 500;

  /** Returns all rows of a table; not for tables of users, which have too many, and no bans. */
  default List<StoredRow> all(RuleTable table) {
    return all(table, UnaryOperator.identity());
  }

  /**
   * Returns all rows of a table; not for tables of users, which have too many, and no bans.
   *
   * @param each applied to each row as soon as it is read
   */
  List<StoredRow> all(RuleTable table, UnaryOperator<StoredRow> each);

  Optional<StoredRow> find(RuleTable table, String key);

  /**
   * Returns some rows of a table, by one statement.
   *
   * @param keys at most {@value #MAX_KEYS}
   * @return those that exist, without bans; empty if its rows can't be found by what {@code
   *     rule_changes} has as their keys
   */
  Optional<List<StoredRow>> withKeys(RuleTable table, Collection<String> keys);

  /**
   * Returns the rows of users, by one statement.
   *
   * @param table a {@linkplain RuleTable#isOfUsers() table of users}
   * @param userIds at most {@value #MAX_USERS}
   */
  List<StoredRow> ofUsers(RuleTable table, Collection<String> userIds);

  /**
   * Reads rows of {@code user_tiers}, as many as {@value UserRows#MAX_BYTES} bytes hold.
   *
   * @param userIds at most {@value #MAX_USERS}
   * @return their rows, perhaps not all
   */
  UserRows tiersOf(Collection<String> userIds);

  /**
   * Adds a row.
   *
   * @param columns its columns; without key where the database generates it
   * @throws ConflictException if there is a row of that key
   */
  default StoredRow insert(RuleTable table, Map<String, String> columns, String author) {
    return write(List.of(new RowWrite(table, Optional.empty(), columns)), author).get(0);
  }

  /**
   * Replaces a row: columns that aren't named become NULL, except for key, version and times.
   *
   * @param seen the row that the author has seen; where the table has no versions, all of its
   *     columns must still be the same
   * @throws ConflictException if it has changed, or is gone
   */
  default StoredRow update(StoredRow seen, Map<String, String> columns, String author) {
    return write(List.of(new RowWrite(seen.table(), Optional.of(seen), columns)), author).get(0);
  }

  /**
   * Deletes a row.
   *
   * @throws ConflictException if it has changed, or is gone
   */
  default void delete(StoredRow seen, String author) {
    var unused = write(List.of(RowWrite.delete(seen)), author);
  }

  /**
   * Adds, replaces and deletes rows in one transaction: all of them, or none.
   *
   * @return the rows as they are in their tables, in the same order, without those deleted
   * @throws ConflictException if one is there already, has changed, or is gone
   */
  List<StoredRow> write(List<RowWrite> changes, String author);

  /** Returns some rows of a table, in the order of their keys or the other way round. */
  List<StoredRow> some(RuleTable table, RowFilter filter);

  /**
   * Writes an announcement to {@code rule_changes}, which all nodes read.
   *
   * @param kind stands in place of the table's name
   * @param key stands in place of the row's key
   * @param said the content of {@code after}
   */
  void announce(String kind, String key, Map<String, String> said, String author);

  /**
   * Runs statements of another package in one transaction: for usage, quotas and the like, whose
   * rows people don't edit. In H2 and PostgreSQL alike it is READ COMMITTED.
   *
   * @param what the beginning of the message if it fails: {@code usage can't be written}
   * @throws io.weir.rules.problem.RulesUnavailableException if one fails; nothing was changed then,
   *     unless only the answer of the commit was lost
   */
  <T> T inTransaction(String what, SqlWork<T> work);

  /**
   * Runs statements in one transaction that has the search path of the database, on which strangers
   * may have functions and operators: the first statement has to pin it.
   *
   * @throws io.weir.rules.problem.RulesUnavailableException if one fails
   */
  <T> T inOwnPath(String what, SqlWork<T> work);

  /**
   * Runs queries, each in a transaction of its own, which takes one call of the server in place of
   * the two or three of a transaction.
   *
   * @param work calls only {@code executeQuery}
   * @throws io.weir.rules.problem.RulesUnavailableException if one fails
   */
  <T> T query(String what, SqlWork<T> work);

  Dialect dialect();

  /** Returns whether {@code access_list} has columns for bans, and may be read. */
  boolean hasBans();

  /** Returns whether the role may write bans, so that all nodes share them. */
  boolean mayWriteBans();

  /**
   * Returns whether triggers report each change. Without the right to make them, changes by SQL are
   * found by {@link #fingerprint}.
   */
  boolean tellsChanges();

  /**
   * Looks whether the triggers are still there and enabled. If not, {@link #tellsChanges} is false
   * from then on, until they are again.
   *
   * @return the tables without them; none if the database never had any
   */
  Set<RuleTable> withoutTriggers();

  /**
   * Identifies the server and its line of history: differs after a failover to a replica, and on
   * another cluster.
   *
   * @return empty if that can't be read
   */
  Optional<String> identity();

  /** Returns the changes in {@code rule_changes} since a {@link ChangePosition}. */
  default ChangeBatch changesSince(ChangePosition position, int most) {
    return changesSince(position, most, ChangeDetail.ALL_ROWS);
  }

  /**
   * Returns the changes in {@code rule_changes} since a {@link ChangePosition}, with some of the
   * rows.
   */
  ChangeBatch changesSince(ChangePosition position, int most, ChangeDetail detail);

  ChangePosition position();

  /**
   * Differs after a change: how many rows a table has and when the newest was written, or, of a
   * table that isn't {@linkplain RuleTable#isInHistory() in the history}, a sum of its contents.
   */
  String fingerprint(RuleTable table);

  /**
   * Returns a sum of all that a table has, which the database works out: for tables of which all is
   * read, as it takes as long as the table is large.
   */
  String contents(RuleTable table);

  /** Returns the latest changes, the newest first. */
  default List<RuleChange> latestChanges(int most) {
    return latestChanges(
        new HistoryFilter(
            Long.MAX_VALUE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            most));
  }

  /** Returns some of the changes, the newest first. */
  List<RuleChange> latestChanges(HistoryFilter filter);

  /** Returns the changes of one row, the newest first. */
  List<RuleChange> changesOf(String table, String rowKey);

  Optional<RuleChange> change(long number);
}
