package io.weir.internal.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replaces one row as {@link BucketTable} replaces several, by two statements that are sent as one
 * transaction in one round trip: one reads, one swaps. Together they take the server less than the
 * one for several rows.
 *
 * <p>Safe for concurrent use with sessions of the callers' own.
 */
final class SingleSwap {
  private final StoreClock clock;
  private final EpochCondition sameEpoch;
  private final String read;
  private final String readAndInsert;
  private final String readAndReplace;

  SingleSwap(String table, EpochCondition sameEpoch, StoreClock clock) {
    this.clock = clock;
    this.sameEpoch = sameEpoch;
    read =
        sql(
            table,
            """
        SELECT CLOCK, EPOCH,
          b.version, b.expires_at, CASE WHEN b.version <> ? THEN b.state END
        FROM (VALUES (1)) one LEFT JOIN TABLE b ON b.key = ?
        """);
    // It doesn't rely on what was read before: it has a snapshot of its own. A row that isn't as
    // expected is left alone without a lock, and so is one that somebody else has locked.
    String insert =
        """
        INSERT INTO TABLE AS b (key, version, expires_at, state)
        SELECT ?::bytea, ?::bigint, ?::bigint, ?::bytea
        FROM (SELECT CLOCK AS clock OFFSET 0) c
        WHERE EPOCH IS NOT NULL AND c.clock >= ? AND c.clock < ? AND EXPECTED
        ON CONFLICT (key) DO UPDATE
          SET version = excluded.version, expires_at = excluded.expires_at, state = excluded.state
          WHERE b.version = excluded.version - ?
        RETURNING 1
        """;
    String missing = "? = 0 AND NOT EXISTS (SELECT 1 FROM TABLE WHERE key = ?)";
    String same = "? = (SELECT version FROM TABLE WHERE key = ? FOR UPDATE SKIP LOCKED)";
    readAndInsert = read + ";\n" + sql(table, insert.replace("EXPECTED", missing));
    readAndReplace = read + ";\n" + sql(table, insert.replace("EXPECTED", same));
  }

  private String sql(String table, String text) {
    return text.replace("CLOCK", StoreClock.SQL)
        .replace("EPOCH", sameEpoch.sql())
        .replace("TABLE", table);
  }

  /**
   * Replaces a row that is still what a node knows.
   *
   * @param epoch the epoch that the data must have, with all its beats that were heard; 0 for any
   * @param growth what its version grows by
   * @param from the server's time, in microseconds, before which it isn't replaced
   */
  SwapResult swap(PostgresSession session, long epoch, long growth, long from, RowSwap swap)
      throws SQLException {
    return session.execute(
        sql(swap),
        (connection, statement) -> bind(statement, epoch, growth, from, swap),
        (rows, sentAt) -> read(rows, sentAt, epoch, swap));
  }

  private String sql(RowSwap swap) {
    if (swap.after() == null) {
      return read;
    }
    return swap.before().version() == 0 ? readAndInsert : readAndReplace;
  }

  private void bind(PreparedStatement statement, long epoch, long growth, long from, RowSwap swap)
      throws SQLException {
    long expected = swap.before().version();
    int next = sameEpoch.bind(statement, 1, epoch);
    statement.setLong(next++, expected);
    statement.setBytes(next++, swap.key());
    BucketRow after = swap.after();
    if (after != null) {
      statement.setBytes(next++, swap.key());
      statement.setLong(next++, after.version());
      statement.setLong(next++, after.expiresAt());
      statement.setBytes(next++, after.storedState());
      next = sameEpoch.bind(statement, next, epoch);
      statement.setLong(next++, from);
      statement.setLong(next++, swap.until());
      statement.setLong(next++, expected);
      statement.setBytes(next++, swap.key());
      statement.setLong(next, growth);
    }
  }

  private SwapResult read(@Nullable ResultSet rows, long sentAt, long epoch, RowSwap swap)
      throws SQLException {
    if (rows == null || !rows.next()) {
      throw new SQLException("no row", "XX000");
    }
    long time = rows.getLong(1);
    clock.hear(time, sentAt);
    boolean same = sameEpoch.read(rows, 2, epoch);
    BucketRow found = BucketRow.of(rows.getLong(3), rows.getLong(4), rows.getBytes(5));
    boolean swapped = swap.after() != null && isSwapped(rows.getStatement());
    return new SwapResult(same, List.of(SwapResult.Row.of(swap, found, swapped)), time);
  }

  private static boolean isSwapped(Statement statement) throws SQLException {
    if (!statement.getMoreResults()) {
      return false;
    }
    try (ResultSet swapped = statement.getResultSet()) {
      return swapped.next();
    }
  }
}
