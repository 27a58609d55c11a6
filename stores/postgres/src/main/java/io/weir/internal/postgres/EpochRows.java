package io.weir.internal.postgres;

import io.weir.store.Epoch;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the epoch of the data in two rows of the same table, so that it is lost together with the
 * data.
 *
 * <p>The version of one row is the epoch's id, which each statement compares; that of the other
 * counts the beats of all nodes, so that beats change nothing that other statements look at. A
 * restored backup and a replica that lagged behind have fewer beats than a node has seen. Commits
 * become durable in their order: data that has a beat has all counts that were committed before it.
 * One that was heard may be lost alone, since other nodes see a commit that doesn't wait for the
 * disk before it is there: then a new epoch is made for nothing, which refuses rather than admits.
 *
 * <p>Safe for concurrent use with sessions of the callers' own.
 */
final class EpochRows {
  private static final int MAX_TRIES = 5;
  private static final int HEX = 16;

  private final EpochCondition sameEpoch;
  private final StoreClock clock;
  private final SecureRandom random = new SecureRandom();
  private final String ask;
  private final String make;
  private final String wipe;

  EpochRows(String table, EpochCondition sameEpoch, StoreClock clock) {
    this.sameEpoch = sameEpoch;
    this.clock = clock;
    // A beat that another node is just writing counts for this one too.
    ask =
        sql(
            table,
            """
        WITH beat AS (
          UPDATE TABLE SET version = version + 1, expires_at = CLOCK
          WHERE key = (
              SELECT key FROM TABLE
              WHERE key = BEATS AND (expires_at <= CLOCK - 100000 OR expires_at > CLOCK)
              FOR UPDATE SKIP LOCKED)
            AND version >= ? AND EXISTS (SELECT 1 FROM TABLE WHERE key = ID AND version = ?)
          RETURNING version
        )
        SELECT e.version, e.expires_at, length(e.state) > 0,
          coalesce((SELECT version FROM beat), b.version), CLOCK
        FROM (VALUES (1)) one
          LEFT JOIN TABLE e ON e.key = ID
          LEFT JOIN TABLE b ON b.key = BEATS
        """);
    make =
        sql(
            table,
            """
        WITH made AS (
          INSERT INTO TABLE AS e (key, version, expires_at, state)
          VALUES (ID, ?, CLOCK, ?)
          ON CONFLICT (key) DO UPDATE
            SET version = excluded.version, expires_at = excluded.expires_at,
              state = excluded.state
            WHERE e.version = ?
          RETURNING 1
        )
        INSERT INTO TABLE AS b (key, version, expires_at, state)
        SELECT BEATS, 0, 0, ''::bytea FROM made
        ON CONFLICT (key) DO UPDATE SET version = 0, expires_at = 0
        """);
    wipe = sql(table, "UPDATE TABLE SET state = '1'::bytea WHERE key = ID AND version = ?");
  }

  private static String sql(String table, String text) {
    return text.replace("CLOCK", StoreClock.SQL)
        .replace("BEATS", BucketKeyEncoder.literalOfStore("epoch.beats"))
        .replace("ID", BucketKeyEncoder.literalOfStore("epoch"))
        .replace("TABLE", table);
  }

  /** Returns the number that stands for an epoch in statements; 0 for none. */
  static long number(Epoch epoch) {
    return epoch.exists() ? Long.parseLong(epoch.id(), HEX) : 0;
  }

  /** Reads the epoch and beats; makes a new epoch if there is none or data was lost. */
  Epoch ask(PostgresSession session, Epoch known) throws SQLException {
    // Before it is sent: what is heard meanwhile may be newer than the answer.
    long heard = Math.max(known.beats(), sameEpoch.heard(number(known)));
    for (int i = 0; i < MAX_TRIES; i++) {
      Found found = read(session, known, heard);
      boolean same = known.exists() && number(known) == found.id;
      if (found.isMissing() || same && found.beats < heard) {
        make(session, found.id, known.exists());
      } else {
        boolean other = known.exists() && !same && !found.wiped;
        if (other) {
          wipe(session, found.id);
        }
        sameEpoch.hear(found.id, found.beats);
        return new Epoch(
            HexFormat.of().toHexDigits(found.id), found.beats, found.age, found.wiped || other);
      }
    }
    throw new PostgresUnavailableException("other nodes keep making new epochs");
  }

  private Found read(PostgresSession session, Epoch known, long heard) throws SQLException {
    return session.execute(
        ask,
        (connection, statement) -> {
          statement.setLong(1, heard);
          statement.setLong(2, number(known));
        },
        this::found);
  }

  private Found found(@Nullable ResultSet rows, long sentAt) throws SQLException {
    if (rows == null || !rows.next()) {
      throw new SQLException("no epoch", "XX000");
    }
    long time = rows.getLong(5);
    clock.hear(time, sentAt);
    long id = rows.getLong(1);
    long age = Math.max(0, time - rows.getLong(2));
    boolean wiped = rows.getBoolean(3);
    long beats = rows.getLong(4);
    return new Found(id, rows.wasNull() ? -1 : beats, age, wiped);
  }

  private void make(PostgresSession session, long before, boolean wiped) throws SQLException {
    byte[] state = wiped ? new byte[] {1} : new byte[0];
    session.execute(
        make,
        (connection, statement) -> {
          statement.setLong(1, 1 + (random.nextLong() >>> 2));
          statement.setBytes(2, state);
          statement.setLong(3, before);
        },
        (rows, sentAt) -> 0);
  }

  private void wipe(PostgresSession session, long id) throws SQLException {
    session.execute(wipe, (connection, statement) -> statement.setLong(1, id), (rows, sentAt) -> 0);
  }

  /**
   * The content of the rows.
   *
   * @param id the epoch's number; 0 if there is none
   * @param beats −1 if there are none
   * @param age microseconds since the epoch began
   * @param wiped whether it is known to have replaced another
   */
  private record Found(long id, long beats, long age, boolean wiped) {
    boolean isMissing() {
      return id == 0 || beats < 0;
    }
  }
}
