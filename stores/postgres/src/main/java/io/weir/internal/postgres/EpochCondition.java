package io.weir.internal.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Lets a statement grant only while the data is that of an epoch: it has the epoch's id, and no
 * fewer beats than this node has heard. Older data that came back has the same id.
 *
 * <p>A node hears beats by every answer, so that one that hasn't asked for the epoch since doesn't
 * accept data that is older than what it was granted by.
 *
 * <p>Safe for concurrent use.
 */
final class EpochCondition {
  private final String sql;
  private volatile HeardBeats heard = new HeardBeats(0, 0);

  EpochCondition(String table) {
    this.sql =
        """
        CASE WHEN ?::bigint = 0 THEN 0
          WHEN EXISTS (SELECT 1 FROM TABLE WHERE key = ID AND version = ?)
          THEN (SELECT version FROM TABLE WHERE key >= ? AND key <= ?
            ORDER BY key DESC LIMIT 1) END"""
            .replace("ID", BucketKeyEncoder.literalOfStore("epoch"))
            .replace("TABLE", table);
  }

  /**
   * Returns the beats of the data, null unless it is that of the epoch; with parameters for {@link
   * #bind}.
   */
  String sql() {
    return sql;
  }

  /** Notes the answer to a question for the epoch: claims name this one from now on. */
  synchronized void hear(long epoch, long beats) {
    heard = heard.orNewer(new HeardBeats(epoch, beats));
  }

  /**
   * Returns how many beats of an epoch this node has heard. Data that a later statement sees has no
   * fewer, unless it is older.
   */
  long heard(long epoch) {
    return heard.of(epoch);
  }

  /**
   * Binds the condition's parameters.
   *
   * @param first the number of the first
   * @param epoch the epoch's number; 0 for any data
   * @return the number of the parameter that follows
   */
  int bind(PreparedStatement statement, int first, long epoch) throws SQLException {
    statement.setLong(first, epoch);
    statement.setLong(first + 1, epoch);
    statement.setBytes(first + 2, BucketKeyEncoder.ofBeat(epoch, heard(epoch)));
    statement.setBytes(first + 3, BucketKeyEncoder.ofBeat(epoch, Long.MAX_VALUE));
    return first + 4;
  }

  /**
   * Reads whether the data was that of the epoch, and hears its beats if so.
   *
   * @param column the column that holds {@link #sql}
   */
  boolean read(ResultSet row, int column, long epoch) throws SQLException {
    long beats = row.getLong(column);
    if (row.wasNull()) {
      return false;
    }
    hearMore(epoch, beats);
    return true;
  }

  /** Notes the beats of an epoch that a claim named. */
  synchronized void hearMore(long epoch, long beats) {
    heard = heard.orMore(new HeardBeats(epoch, beats));
  }

  /**
   * The beats of an epoch that were heard.
   *
   * <p>Answers arrive in any order. Beats of an epoch never decrease, so the most of them is the
   * newest: fewer come from an earlier answer, or from older data that is about to be replaced by a
   * new epoch. Epochs have no order; the last question found the current one, and a claim that
   * names another one was sent before.
   */
  private record HeardBeats(long epoch, long beats) {
    long of(long named) {
      return named == epoch ? beats : 0;
    }

    HeardBeats orMore(HeardBeats answer) {
      return answer.epoch == epoch && answer.beats > beats ? answer : this;
    }

    HeardBeats orNewer(HeardBeats found) {
      return found.epoch == epoch ? orMore(found) : found;
    }
  }
}
