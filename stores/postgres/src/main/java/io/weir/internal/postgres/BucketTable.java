package io.weir.internal.postgres;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes rows, with one statement each.
 *
 * <p>Safe for concurrent use with sessions of the callers' own.
 */
final class BucketTable {
  private final StoreClock clock;
  private final SingleSwap single;
  private final ClaimAppender appender;
  private final EpochCondition sameEpoch;
  private final String swap;
  private final String look;
  private final String forget;
  private final String scan;
  private final String sweep;
  private final String remove;

  BucketTable(String table, EpochCondition sameEpoch, StoreClock clock) {
    this.clock = clock;
    this.sameEpoch = sameEpoch;
    this.single = new SingleSwap(table, sameEpoch, clock);
    this.appender = new ClaimAppender(table, sameEpoch, clock);
    // Rows that aren't as expected are left alone without a lock, and so are those that somebody
    // else has locked. The rest is written in the order of keys, so that no two statements wait for
    // each other.
    swap =
        """
        WITH claim AS MATERIALIZED (
          SELECT * FROM
            unnest(?::bytea[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[], ?::bigint[])
            WITH ORDINALITY AS c(key, expected, version, expires_at, state, until, n)
        ), epoch AS MATERIALIZED (
          SELECT EPOCH AS beats, CLOCK AS clock
        ), seen AS MATERIALIZED (
          SELECT c.*, coalesce(b.version, 0) AS found, b.expires_at AS found_until,
            CASE WHEN b.version <> c.expected THEN b.state END AS found_state
          FROM claim c LEFT JOIN LATERAL (
            SELECT version, expires_at, state FROM TABLE t WHERE t.key = c.key OFFSET 0) b ON true
        ), meant AS MATERIALIZED (
          SELECT s.* FROM seen s, epoch e
          WHERE s.state IS NOT NULL AND s.found = s.expected AND e.beats IS NOT NULL
            AND e.clock >= ? AND e.clock < s.until
        ), free AS MATERIALIZED (
          SELECT m.* FROM meant m WHERE m.expected = 0
          UNION ALL
          SELECT m.* FROM meant m CROSS JOIN LATERAL (
            SELECT 1 FROM TABLE t WHERE t.key = m.key AND t.version = m.expected
            FOR UPDATE SKIP LOCKED) l
          WHERE m.expected <> 0
        ), swapped AS (
          INSERT INTO TABLE AS b (key, version, expires_at, state)
          SELECT key, version, expires_at, state FROM free
          ORDER BY key
          ON CONFLICT (key) DO UPDATE
            SET version = excluded.version, expires_at = excluded.expires_at,
              state = excluded.state
            WHERE b.version = excluded.version - ?
          RETURNING b.key
        )
        SELECT n, NULL::bytea AS key, found, found_until, found_state,
          (SELECT beats FROM epoch) AS beats, (SELECT clock FROM epoch) AS clock
        FROM seen
        UNION ALL
        SELECT NULL, key, NULL, NULL, NULL, NULL, NULL FROM swapped
        """
            .replace("CLOCK", StoreClock.SQL)
            .replace("EPOCH", sameEpoch.sql())
            .replace("TABLE", table);
    // No right but to read is needed for it, which a login of another region may have alone.
    look =
        """
        WITH epoch AS MATERIALIZED (
          SELECT EPOCH AS beats, CLOCK AS clock
        )
        SELECT c.n, NULL::bytea AS key, coalesce(b.version, 0), b.expires_at,
          CASE WHEN b.version <> c.expected THEN b.state END,
          (SELECT beats FROM epoch), (SELECT clock FROM epoch)
        FROM unnest(?::bytea[], ?::bigint[]) WITH ORDINALITY AS c(key, expected, n)
          LEFT JOIN LATERAL (
            SELECT version, expires_at, state FROM TABLE t WHERE t.key = c.key OFFSET 0) b ON true
        """
            .replace("CLOCK", StoreClock.SQL)
            .replace("EPOCH", sameEpoch.sql())
            .replace("TABLE", table);
    forget = "UPDATE " + table + " SET version = version + ?, state = ''::bytea WHERE key = ?";
    scan =
        "SELECT key, version, expires_at, state, "
            + StoreClock.SQL
            + " FROM "
            + table
            + " WHERE key > ? AND key < ? ORDER BY key LIMIT ?";
    remove =
        "DELETE FROM TABLE WHERE key = ANY (ARRAY(SELECT key FROM TABLE WHERE key > ? AND key < ?"
            .concat(" AND expires_at < ? FOR UPDATE SKIP LOCKED))")
            .replace("TABLE", table);
    // Other statements' rows are skipped, and each is compared again once it is locked.
    sweep =
        """
        WITH last AS MATERIALIZED (
          SELECT key FROM (
            SELECT key FROM TABLE WHERE key > ? ORDER BY key LIMIT ?) s
          ORDER BY key DESC LIMIT 1
        ), gone AS (
          DELETE FROM TABLE WHERE key = ANY (ARRAY(
            SELECT key FROM TABLE
            WHERE key > ? AND key <= (SELECT key FROM last) AND expires_at < CLOCK - ?
            FOR UPDATE SKIP LOCKED))
          RETURNING 1
        )
        SELECT (SELECT key FROM last), (SELECT count(*) FROM gone)
        """
            .replace("CLOCK", StoreClock.SQL)
            .replace("TABLE", table);
  }

  /**
   * Replaces rows that are still what a node knows.
   *
   * @param epoch the epoch that the data must have, with all its beats that were heard; 0 for any
   * @param growth what all versions grow by
   * @param from the server's time, in microseconds, before which nothing is replaced
   */
  SwapResult swap(PostgresSession session, long epoch, long growth, long from, List<RowSwap> swaps)
      throws SQLException {
    if (swaps.size() == 1) {
      return single.swap(session, epoch, growth, from, swaps.get(0));
    }
    if (swaps.stream().allMatch(each -> each.after() == null)) {
      return session.execute(
          look,
          (connection, statement) -> {
            int next = sameEpoch.bind(statement, 1, epoch);
            statement.setArray(next++, connection.createArrayOf("bytea", keys(swaps)));
            statement.setArray(next, connection.createArrayOf("bigint", expected(swaps)));
          },
          (rows, sentAt) -> read(rows, sentAt, epoch, swaps));
    }
    return session.execute(
        swap,
        (connection, statement) -> {
          bind(connection, statement, swaps);
          int next = sameEpoch.bind(statement, 7, epoch);
          statement.setLong(next++, from);
          statement.setLong(next, growth);
        },
        (rows, sentAt) -> read(rows, sentAt, epoch, swaps));
  }

  private static void bind(Connection connection, PreparedStatement statement, List<RowSwap> swaps)
      throws SQLException {
    int size = swaps.size();
    long[] versions = new long[size];
    long[] ends = new long[size];
    byte[][] states = new byte[size][];
    long[] until = new long[size];
    for (int i = 0; i < size; i++) {
      RowSwap each = swaps.get(i);
      until[i] = each.until();
      BucketRow after = each.after();
      if (after != null) {
        versions[i] = after.version();
        ends[i] = after.expiresAt();
        states[i] = after.storedState();
      }
    }
    statement.setArray(1, connection.createArrayOf("bytea", keys(swaps)));
    statement.setArray(2, connection.createArrayOf("bigint", expected(swaps)));
    statement.setArray(3, connection.createArrayOf("bigint", boxed(versions)));
    statement.setArray(4, connection.createArrayOf("bigint", boxed(ends)));
    statement.setArray(5, connection.createArrayOf("bytea", states));
    statement.setArray(6, connection.createArrayOf("bigint", boxed(until)));
  }

  private static byte[][] keys(List<RowSwap> swaps) {
    return swaps.stream().map(RowSwap::key).toArray(byte[][]::new);
  }

  private static Long[] expected(List<RowSwap> swaps) {
    return swaps.stream().map(each -> each.before().version()).toArray(Long[]::new);
  }

  private static Long[] boxed(long[] numbers) {
    Long[] boxed = new Long[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      boxed[i] = numbers[i];
    }
    return boxed;
  }

  private SwapResult read(@Nullable ResultSet rows, long sentAt, long epoch, List<RowSwap> swaps)
      throws SQLException {
    if (rows == null) {
      throw new SQLException("no rows", "XX000");
    }
    Map<ByteBuffer, Integer> byKey = new HashMap<>();
    BucketRow[] found = new BucketRow[swaps.size()];
    boolean[] swapped = new boolean[swaps.size()];
    boolean same = false;
    long time = 0;
    for (int i = 0; i < swaps.size(); i++) {
      byKey.put(ByteBuffer.wrap(swaps.get(i).key()), i);
    }
    while (rows.next()) {
      int n = rows.getInt(1) - 1;
      if (n < 0) {
        Integer at = byKey.get(ByteBuffer.wrap(rows.getBytes(2)));
        swapped[at == null ? 0 : at] = true;
      } else {
        found[n] = BucketRow.of(rows.getLong(3), rows.getLong(4), rows.getBytes(5));
        same = sameEpoch.read(rows, 6, epoch);
        time = rows.getLong(7);
      }
    }
    clock.hear(time, sentAt);
    List<SwapResult.Row> result = new ArrayList<>(swaps.size());
    for (int i = 0; i < swaps.size(); i++) {
      result.add(SwapResult.Row.of(swaps.get(i), found[i], swapped[i]));
    }
    return new SwapResult(same, result, time);
  }

  /** Appends claims to rows: see {@link ClaimAppender#append}. */
  ClaimAppender.Answer append(
      PostgresSession session, long epoch, long growth, List<RowAppend> appends)
      throws SQLException {
    return appender.append(session, epoch, growth, appends);
  }

  /** Replaces one row, if it is still what the caller knows. */
  SwapResult.Row swap(PostgresSession session, long growth, RowSwap one) throws SQLException {
    return swap(session, 0, growth, 0, List.of(one)).rows().get(0);
  }

  /** Reads one row of the store itself. */
  BucketRow find(PostgresSession session, byte[] key) throws SQLException {
    BucketRow unlikely = new BucketRow(Long.MAX_VALUE, null, 0);
    return swap(session, 1, new RowSwap(key, unlikely, null)).found();
  }

  /** Makes a bucket fresh. The row stays until its old state has expired. */
  void forget(PostgresSession session, byte[] key) throws SQLException {
    session.update(forget, BucketRow.randomGrowth(), key);
  }

  /** Reads buckets in the order of their keys. */
  List<KeyedRow> scan(PostgresSession session, byte[] after, byte[] before, int most)
      throws SQLException {
    return session.execute(
        scan,
        PostgresSession.parameters(after, before, most),
        (rows, sentAt) -> {
          List<KeyedRow> found = new ArrayList<>();
          while (rows != null && rows.next()) {
            found.add(
                new KeyedRow(
                    rows.getBytes(1),
                    BucketRow.of(rows.getLong(2), rows.getLong(3), rows.getBytes(4))));
            clock.hear(rows.getLong(5), sentAt);
          }
          return Collections.unmodifiableList(found);
        });
  }

  /** Removes the rows between two keys that expired before a time, unless they are locked. */
  void remove(PostgresSession session, byte[] after, byte[] before, long expired)
      throws SQLException {
    session.update(remove, after, before, expired);
  }

  /**
   * Removes expired rows among some that follow a key.
   *
   * @param after the key before the first one to look at
   * @param most the number of rows to look at
   * @param margin how long they must have expired, in microseconds
   */
  SweptSlice sweep(PostgresSession session, byte[] after, int most, long margin)
      throws SQLException {
    return session.execute(
        sweep,
        PostgresSession.parameters(after, most, after, margin),
        (rows, sentAt) -> {
          if (rows == null || !rows.next()) {
            return new SweptSlice(null, 0);
          }
          return new SweptSlice(rows.getBytes(1), rows.getInt(2));
        });
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record KeyedRow(byte[] key, BucketRow row) {}

  /**
   * A slice of the table that was looked through.
   *
   * @param last its last key; null if no row followed
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record SweptSlice(byte @Nullable [] last, int removed) {}
}
