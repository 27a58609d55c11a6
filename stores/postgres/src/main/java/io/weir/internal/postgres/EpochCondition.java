package io.weir.internal.postgres;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The part of a statement that holds while the data is that of an epoch: it has the epoch's id, and
 * no fewer beats than this node has heard. Older data that came back has the same id.
 *
 * <p>Safe for concurrent use.
 */
final class EpochCondition {
  private final String sql;
  private volatile HeardBeats heard = new HeardBeats(0, 0);

  EpochCondition(String table) {
    this.sql =
        """
        (?::bigint = 0
          OR EXISTS (SELECT 1 FROM TABLE WHERE key = ID AND version = ?)
          AND EXISTS (SELECT 1 FROM TABLE WHERE key = BEATS AND version >= ?))"""
            .replace("BEATS", BucketKeyEncoder.literalOfStore("epoch.beats"))
            .replace("ID", BucketKeyEncoder.literalOfStore("epoch"))
            .replace("TABLE", table);
  }

  /** The condition, with parameters for {@link #bind}. */
  String sql() {
    return sql;
  }

  /** Notes that an epoch has so many beats. */
  void hear(long epoch, long beats) {
    heard = new HeardBeats(epoch, beats);
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
    statement.setLong(first + 2, heard.of(epoch));
    return first + 3;
  }

  /**
   * The beats of an epoch that were heard last.
   *
   * @param epoch the epoch's number
   * @param beats their number
   */
  private record HeardBeats(long epoch, long beats) {
    long of(long named) {
      return named == epoch ? beats : 0;
    }
  }
}
