package io.weir.internal.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends {@linkplain AppendedClaims claims} to rows, by one statement that compares no version.
 *
 * <p>Safe for concurrent use with sessions of the callers' own.
 */
final class ClaimAppender {
  private final StoreClock clock;
  private final EpochCondition sameEpoch;
  private final String append;

  ClaimAppender(String table, EpochCondition sameEpoch, StoreClock clock) {
    this.clock = clock;
    this.sameEpoch = sameEpoch;
    // It waits for no row that somebody else has locked, so no two statements wait for each other.
    // The time is read before, and so may be a little earlier than that of the last replacement:
    // then the claims are executed at that one.
    append =
        """
        WITH claim AS MATERIALIZED (
          SELECT * FROM unnest(?::bytea[], ?::bytea[], ?::bigint[])
            WITH ORDINALITY AS c(key, claims, life, n)
        ), epoch AS MATERIALIZED (
          SELECT EPOCH AS beats, CLOCK AS clock
        ), free AS MATERIALIZED (
          SELECT c.*, e.clock FROM claim c CROSS JOIN epoch e CROSS JOIN LATERAL (
            SELECT 1 FROM TABLE t WHERE t.key = c.key AND e.beats IS NOT NULL
            FOR UPDATE SKIP LOCKED) l
        ), appended AS (
          UPDATE TABLE b SET version = b.version + ?,
            expires_at = greatest(b.expires_at, f.clock) + f.life,
            state = f.claims || int8send(f.clock)
              || CASE WHEN b.expires_at > f.clock THEN b.state ELSE ''::bytea END
          FROM free f WHERE b.key = f.key
          RETURNING f.n, b.version, b.expires_at, b.state
        )
        SELECT a.n, a.version, a.expires_at, a.state, e.beats, e.clock
        FROM epoch e LEFT JOIN appended a ON true
        """
            .replace("CLOCK", clock.sql())
            .replace("EPOCH", sameEpoch.sql())
            .replace("TABLE", table);
  }

  /**
   * Appends to rows that are there and not locked.
   *
   * @param epoch the epoch that the data must have, with all its beats that were heard; 0 for any
   * @param growth what all versions grow by
   */
  Answer append(PostgresSession session, long epoch, long growth, List<RowAppend> appends)
      throws SQLException {
    return session.execute(
        append,
        (connection, statement) -> {
          bind(connection, statement, appends);
          int next = sameEpoch.bind(statement, 4, epoch);
          statement.setLong(next, growth);
        },
        (rows, sentAt) -> read(rows, sentAt, epoch, appends.size()));
  }

  private static void bind(
      Connection connection, PreparedStatement statement, List<RowAppend> appends)
      throws SQLException {
    byte[][] keys = appends.stream().map(RowAppend::key).toArray(byte[][]::new);
    byte[][] claims = appends.stream().map(RowAppend::claims).toArray(byte[][]::new);
    Long[] lives = appends.stream().map(RowAppend::life).toArray(Long[]::new);
    statement.setArray(1, connection.createArrayOf("bytea", keys));
    statement.setArray(2, connection.createArrayOf("bytea", claims));
    statement.setArray(3, connection.createArrayOf("bigint", lives));
  }

  private Answer read(@Nullable ResultSet rows, long sentAt, long epoch, int size)
      throws SQLException {
    if (rows == null) {
      throw new SQLException("no rows", "XX000");
    }
    BucketRow[] appended = new BucketRow[size];
    Arrays.fill(appended, BucketRow.NONE);
    boolean same = false;
    long time = 0;
    while (rows.next()) {
      int n = rows.getInt(1);
      if (n > 0) {
        appended[n - 1] = BucketRow.of(rows.getLong(2), rows.getLong(3), rows.getBytes(4));
      }
      same = sameEpoch.read(rows, 5, epoch);
      time = rows.getLong(6);
    }
    clock.hear(time, sentAt);
    return new Answer(same, List.of(appended));
  }

  /**
   * The answer to several appends.
   *
   * @param sameEpoch whether the data has the epoch that was named; if not, nothing was appended
   * @param rows each row with what was appended, in order; {@link BucketRow#NONE} if it is missing
   *     or was locked
   */
  record Answer(boolean sameEpoch, List<BucketRow> rows) {}
}
