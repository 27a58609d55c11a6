package io.weir.internal.postgres;

import io.weir.internal.store.StoreUnavailableException;
import io.weir.store.Epoch;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the epoch of the data in rows of the same table, so that it is lost together with the data.
 *
 * <p>The version of one row is the epoch's id, which each statement compares. Each beat of a node
 * adds a row, so that beats change nothing that other statements look at. A restored backup and a
 * replica that lagged behind have fewer beats than a node has seen. Commits become durable in their
 * order: data that has a beat has all counts that were committed before it. A beat is on the disk
 * before anybody hears it, so no crash takes one back that was heard, which would charge everybody
 * twice.
 *
 * <p>Safe for concurrent use with sessions of the callers' own.
 */
final class EpochRows {
  private static final int MAX_TRIES = 5;
  private static final int HEX = 16;

  /** Older beats than so many are removed with the next one. */
  private static final int KEPT_BEATS = 16;

  private final EpochCondition sameEpoch;
  private final StoreClock clock;
  private final SecureRandom random = new SecureRandom();
  private final String ask;
  private final String make;
  private final String wipe;

  EpochRows(String table, EpochCondition sameEpoch, StoreClock clock) {
    this.sameEpoch = sameEpoch;
    this.clock = clock;
    // A beat that another node is just writing counts for this one too. Each has a row of its own,
    // since versions of one row that nobody needs any more slow down all claims for as long as any
    // transaction of the database stays open.
    ask =
        sql(
            table,
            """
        WITH last AS MATERIALIZED (
          SELECT version, expires_at FROM TABLE WHERE key >= ? AND key <= ?
          ORDER BY key DESC LIMIT 1
        ), beat AS (
          INSERT INTO TABLE (key, version, expires_at, state)
          SELECT BEATS || pg_catalog.int8send(?) || pg_catalog.int8send(l.version + 1),
            l.version + 1, CLOCK, ''::bytea
          FROM last l
          WHERE (l.expires_at <= CLOCK - 100000 OR l.expires_at > CLOCK)
            AND EXISTS (SELECT 1 FROM TABLE WHERE key = ID AND version = ?)
          ON CONFLICT (key) DO NOTHING
          RETURNING version
        ), old AS (
          DELETE FROM TABLE WHERE key = (
            SELECT BEATS || pg_catalog.int8send(?) || pg_catalog.int8send(version - KEPT)
            FROM beat)
        )
        SELECT e.version, e.expires_at, pg_catalog.length(e.state) > 0,
          coalesce((SELECT version FROM beat), b.version), CLOCK
        FROM (VALUES (1)) one
          LEFT JOIN TABLE e ON e.key = ID
          LEFT JOIN LATERAL (
            SELECT t.version FROM TABLE t
            WHERE t.key >= BEATS || pg_catalog.int8send(e.version)
              AND t.key < BEATS || pg_catalog.int8send(e.version + 1)
            ORDER BY t.key DESC LIMIT 1) b ON true
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
          RETURNING version
        ), old AS (
          DELETE FROM TABLE
          WHERE key >= BEATS AND key < BEATS || pg_catalog.int8send(9223372036854775807) AND EXISTS (SELECT 1 FROM made)
        )
        INSERT INTO TABLE (key, version, expires_at, state)
        SELECT BEATS || pg_catalog.int8send(version) || pg_catalog.int8send(0::bigint), 0, 0,
          ''::bytea
        FROM made
        """);
    wipe = sql(table, "UPDATE TABLE SET state = '1'::bytea WHERE key = ID AND version = ?");
  }

  private static String sql(String table, String text) {
    return text.replace("CLOCK", StoreClock.SQL)
        .replace("BEATS", BucketKeyEncoder.literalOfStore(BucketKeyEncoder.BEATS))
        .replace("KEPT", String.valueOf(KEPT_BEATS))
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
    throw new StoreUnavailableException("other nodes keep creating new epochs");
  }

  private Found read(PostgresSession session, Epoch known, long heard) throws SQLException {
    long id = number(known);
    return session.executeOnDisk(
        ask,
        PostgresSession.parameters(
            BucketKeyEncoder.ofBeat(id, heard),
            BucketKeyEncoder.ofBeat(id, Long.MAX_VALUE),
            id,
            id,
            id),
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
    session.update(make, 1 + (random.nextLong() >>> 2), state, before);
  }

  private void wipe(PostgresSession session, long id) throws SQLException {
    session.update(wipe, id);
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
