package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the table through prepared statements.
 *
 * <p>All writes but transactions carry their writer's timestamp, so the driver may send them twice.
 *
 * <p>Safe for concurrent use.
 */
final class BucketTable {
  private static final int PAGE = 5_000;

  private final CqlSession session;
  private final ConsistencyLevels levels;
  private final ConsistencyLevel serial;
  private final StoreClock clock;
  private final PreparedStatement write;
  private final PreparedStatement read;
  private final PreparedStatement readAll;
  private final PreparedStatement note;
  private final PreparedStatement delete;
  private final PreparedStatement insertOnce;
  private final LevelRows levelRows;

  /** Prepares all statements; waits for Cassandra. */
  BucketTable(
      CqlSession session,
      String table,
      ConsistencyLevels levels,
      ConsistencyLevel serial,
      StoreClock clock) {
    this.session = session;
    this.levels = levels;
    this.serial = serial;
    this.clock = clock;
    write =
        prepareWrite(
            "UPDATE "
                + table
                + " USING TTL ? AND TIMESTAMP ? SET used = ?, asked = ?, raised = ?"
                + " WHERE name = ? AND slot = ? AND writer = ?");
    read =
        prepareRead(
            "SELECT slot, writer, used, asked, raised, writetime(used) AS written, now() AS time"
                + " FROM "
                + table
                + " WHERE name = ? AND slot >= ?");
    readAll =
        prepareRead(
            "SELECT slot, writer, used, asked, state, now() AS time FROM "
                + table
                + " WHERE name = ?");
    note =
        prepareWrite(
            "INSERT INTO "
                + table
                + " (name, slot, writer, used, asked, state)"
                + " VALUES (?, ?, ?, ?, ?, ?) USING TTL ? AND TIMESTAMP ?");
    delete =
        prepareWrite(
            "DELETE FROM "
                + table
                + " USING TIMESTAMP ? WHERE name = ? AND slot = ? AND writer = ?");
    insertOnce =
        prepareTransaction(
            "UPDATE "
                + table
                + " SET state = ?, used = ?"
                + " WHERE name = ? AND slot = 0 AND writer = ? IF state = ?");
    levelRows = new LevelRows(session, table, levels.write(), serial, clock);
  }

  /** Returns the part for buckets that are kept whole. */
  LevelRows levelRows() {
    return levelRows;
  }

  private PreparedStatement prepareWrite(String cql) {
    return session.prepare(
        SimpleStatement.builder(cql)
            .setConsistencyLevel(levels.write())
            .setIdempotence(true)
            .build());
  }

  private PreparedStatement prepareRead(String cql) {
    return session.prepare(
        SimpleStatement.builder(cql)
            .setConsistencyLevel(levels.read())
            .setIdempotence(true)
            .setPageSize(PAGE)
            .build());
  }

  private PreparedStatement prepareTransaction(String cql) {
    return session.prepare(
        SimpleStatement.builder(cql)
            .setConsistencyLevel(levels.write())
            .setSerialConsistencyLevel(serial)
            .setIdempotence(false)
            .build());
  }

  /** Writes sums of one writer, all or none of them. */
  CompletionStage<?> writeSums(String name, UUID writer, List<SumWrite> rows, long timestamp) {
    List<BatchableStatement<?>> writes = new ArrayList<>(rows.size());
    for (SumWrite row : rows) {
      BoundStatementBuilder bound =
          write
              .boundStatementBuilder()
              .setInt(0, row.seconds())
              .setLong(1, timestamp)
              .setLong(2, row.used())
              .setLong(3, row.asked())
              .setString(5, name)
              .setLong(6, row.slot())
              .setUuid(7, writer);
      writes.add((row.raised() > 0 ? bound.setLong(4, row.raised()) : bound).build());
    }
    return execute(
        writes.size() == 1
            ? writes.get(0)
            : BatchStatement.newInstance(BatchType.UNLOGGED, writes)
                .setConsistencyLevel(levels.write())
                .setIdempotent(true));
  }

  /** Reads the sums of all writers from a slot on. */
  CompletionStage<Sums> readSums(String name, long firstSlot) {
    long sentAt = clock.nanos();
    List<SumRow> rows = new ArrayList<>();
    return execute(read.bind(name, firstSlot))
        .thenCompose(page -> collect(page, sentAt, rows, BucketTable::sumRow, 0));
  }

  private static @Nullable SumRow sumRow(Row row) {
    UUID writer = row.getUuid(1);
    return writer == null || row.isNull(2)
        ? null
        : new SumRow(
            row.getLong(0), writer, row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5));
  }

  private CompletionStage<Sums> collect(
      AsyncResultSet page, long sentAt, List<SumRow> rows, RowReader<SumRow> reader, long time) {
    long reported = time;
    for (Row row : page.currentPage()) {
      SumRow each = reader.read(row);
      if (each != null) {
        rows.add(each);
      }
      reported = heard(row, sentAt, reported);
    }
    long latest = reported;
    return page.hasMorePages()
        ? page.fetchNextPage().thenCompose(next -> collect(next, sentAt, rows, reader, latest))
        : CompletableFuture.completedFuture(new Sums(rows, latest));
  }

  private long heard(Row row, long sentAt, long before) {
    UUID time = row.getUuid("time");
    return before > 0 || time == null ? before : clock.hear(time, sentAt);
  }

  /** Reads all rows of a partition that isn't a bucket's; there are few. */
  CompletionStage<Notes> readNotes(String name) {
    long sentAt = clock.nanos();
    return execute(readAll.bind(name))
        .thenApply(
            page -> {
              List<NoteRow> rows = new ArrayList<>();
              long time = 0;
              for (Row row : page.currentPage()) {
                UUID writer = row.getUuid(1);
                ByteBuffer state = row.getByteBuffer(4);
                if (writer != null) {
                  rows.add(
                      new NoteRow(
                          row.getLong(0),
                          writer,
                          row.getLong(2),
                          row.getLong(3),
                          state == null ? new byte[0] : bytes(state)));
                }
                time = heard(row, sentAt, time);
              }
              return new Notes(rows, time);
            });
  }

  /** Writes a row of such a partition. */
  CompletionStage<?> writeNote(String name, NoteRow row, int seconds, long timestamp) {
    return execute(
        note.boundStatementBuilder()
            .setString(0, name)
            .setLong(1, row.slot())
            .setUuid(2, row.writer())
            .setLong(3, row.used())
            .setLong(4, row.asked())
            .setByteBuffer(5, ByteBuffer.wrap(row.state()))
            .setInt(6, seconds)
            .setLong(7, timestamp)
            .build());
  }

  CompletionStage<?> delete(String name, long slot, UUID writer, long timestamp) {
    return execute(delete.bind(timestamp, name, slot, writer));
  }

  /**
   * Makes the row of an epoch, or replaces it if it is still what it was.
   *
   * @return whether it was
   */
  CompletionStage<Boolean> swapEpoch(
      String name, byte @Nullable [] before, byte[] after, long bornAt) {
    BoundStatement bound =
        insertOnce.bind(
            ByteBuffer.wrap(after),
            bornAt,
            name,
            LevelRows.NOBODY,
            before == null ? null : ByteBuffer.wrap(before));
    return execute(bound).thenApply(AsyncResultSet::wasApplied);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private CompletionStage<AsyncResultSet> execute(Statement<?> statement) {
    return session.executeAsync(statement);
  }

  private interface RowReader<T> {
    @Nullable T read(Row row);
  }

  /**
   * A row of sums as it is written.
   *
   * @param used its permits
   * @param asked those of them that aren't granted yet
   * @param raised see {@link SumRow}
   * @param seconds the seconds for which it is kept
   */
  record SumWrite(long slot, long used, long asked, long raised, int seconds) {}

  /**
   * A reading of a bucket.
   *
   * @param time the coordinator's, in microseconds rounded up; 0 if there was no row
   */
  record Sums(List<SumRow> rows, long time) {}

  /** A row of a partition that isn't a bucket's. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record NoteRow(long slot, UUID writer, long used, long asked, byte[] state) {}

  /**
   * A reading of such a partition.
   *
   * @param time the coordinator's, in microseconds rounded up; 0 if there was no row
   */
  record Notes(List<NoteRow> rows, long time) {}
}
