package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Reads and replaces buckets that are kept whole, in one row each, and appends claims to them.
 *
 * <p><b>How this works.</b> A node that is far away computes the next state from one that is a
 * round trip old, so on a busy bucket it always comes too late. Therefore it may append claims
 * instead, which doesn't depend on the state: it writes them in a row of its own in the same
 * partition, and in the same transaction a new random mark beside the state. Whoever replaces the
 * state requires the mark that it has read, usually none. So it notices appended claims by the
 * answer that it gets anyway. Then it reads them, executes them first, and in one transaction
 * writes the state, removes the mark and notes in each row how far it is executed, with the stamp
 * that its node is to be answered.
 *
 * <p>Invariant: an appended claim is executed at most once, as the note is part of the transaction
 * that executes it, and that fails if anything was appended or executed since the reading. And a
 * claim is answered only after a reading, or a transaction of the own node, has shown that it is
 * executed. So of a claim that is answered nothing depends on how long its row or the mark live,
 * nor on the life of the node. If a node dies before, its claims are executed by the next one that
 * replaces the state within a minute, or else expire, as any claim may that isn't answered.
 *
 * <p>Rows: that of the state has slot 0, {@code state} and perhaps the mark in {@code asked}. Rows
 * of appended claims have slot 1, their node's writer, the number of the append in {@code used},
 * the claims in {@code state}; and once they are executed, 0 in {@code used}, that number in {@code
 * asked}, and the stamp in {@code raised}. They are overwritten by the next claims, and expire;
 * none is deleted.
 *
 * <p>Safe for concurrent use.
 */
final class LevelRows {
  /** The writer of rows that all nodes write, in partitions that aren't sums. */
  static final UUID NOBODY = new UUID(0, 0);

  private static final long APPENDED_SLOT = 1;

  /**
   * The seconds for which appended claims wait: longer than their node takes to make sure that they
   * are executed, and longer than a transaction may be under way.
   */
  private static final int WAITING_SECONDS = 60;

  /**
   * The seconds for which it is noted that they are executed: longer than they themselves are kept,
   * so that no replica that was away can bring them back without the note.
   */
  private static final int NOTED_SECONDS = WAITING_SECONDS + RowLifetime.MARGIN;

  private final CqlSession session;
  private final ConsistencyLevel write;
  private final ConsistencyLevel serial;
  private final StoreClock clock;
  private final PreparedStatement read;
  private final PreparedStatement swap;
  private final PreparedStatement unmark;
  private final PreparedStatement noteExecuted;
  private final PreparedStatement append;
  private final PreparedStatement mark;

  /** Prepares all statements; waits for Cassandra. */
  LevelRows(
      CqlSession session,
      String table,
      ConsistencyLevel write,
      ConsistencyLevel serial,
      StoreClock clock) {
    this.session = session;
    this.write = write;
    this.serial = serial;
    this.clock = clock;
    read =
        session.prepare(
            SimpleStatement.builder(
                    "SELECT slot, writer, used, asked, raised, state, ttl(state) AS seconds,"
                        + " now() AS time FROM "
                        + table
                        + " WHERE name = ? AND slot >= 0 AND slot <= 1")
                .setConsistencyLevel(serial)
                .setIdempotence(true)
                .build());
    String update = "UPDATE " + table + " USING TTL ? SET ";
    String level = " WHERE name = ? AND slot = 0 AND writer = ? IF ";
    String appended = " WHERE name = ? AND slot = 1 AND writer = ?";
    swap = prepare(update + "state = ?" + level + "state = ? AND asked = ?");
    unmark = prepare(update + "state = ?, asked = null" + level + "state = ? AND asked = ?");
    noteExecuted = prepare(update + "used = 0, asked = ?, raised = ?" + appended);
    append = prepare(update + "used = ?, state = ?" + appended);
    mark = prepare(update + "asked = ?" + level + "raised = null"); // no state has that column
  }

  private PreparedStatement prepare(String cql) {
    return session.prepare(
        SimpleStatement.builder(cql)
            .setConsistencyLevel(write)
            .setSerialConsistencyLevel(serial)
            .setIdempotence(false)
            .build());
  }

  /** Reads a bucket, as the last transaction left it. */
  CompletionStage<Level> read(String name) {
    long sentAt = clock.nanos();
    return session.executeAsync(read.bind(name)).thenApply(page -> level(page, sentAt));
  }

  private Level level(AsyncResultSet page, long sentAt) {
    byte[] state = null;
    Long found = null;
    int seconds = 0;
    List<AppenderRow> rows = new ArrayList<>();
    boolean heard = false;
    for (Row row : page.currentPage()) {
      UUID time = row.getUuid("time");
      if (!heard && time != null) {
        long unused = clock.hear(time, sentAt);
        heard = true;
      }
      UUID writer = row.getUuid("writer");
      byte[] bytes = bytes(row.getByteBuffer("state"));
      if (row.getLong("slot") == APPENDED_SLOT && writer != null) {
        rows.add(
            new AppenderRow(
                writer, row.getLong("used"), row.getLong("asked"), row.getLong("raised"), bytes));
      } else if (NOBODY.equals(writer)) {
        state = bytes;
        found = row.isNull("asked") ? null : Long.valueOf(row.getLong("asked"));
        seconds = row.getInt("seconds");
      }
    }
    return new Level(state, found, rows, seconds);
  }

  /**
   * Replaces a bucket, if it is still what it was.
   *
   * @param after null for a fresh bucket
   * @param seconds for which the new state is kept
   * @param executed the appended claims that it contains; all that the bucket had
   */
  CompletionStage<Swap> swap(
      String name, Level before, byte @Nullable [] after, int seconds, List<Executed> executed) {
    byte[] state = after == null ? new byte[0] : after;
    PreparedStatement statement = before.mark == null && executed.isEmpty() ? swap : unmark;
    BoundStatement replaces =
        statement.bind(
            seconds,
            ByteBuffer.wrap(state),
            name,
            NOBODY,
            before.state == null ? null : ByteBuffer.wrap(before.state),
            before.mark);
    List<BatchableStatement<?>> statements = new ArrayList<>(1 + executed.size());
    statements.add(replaces);
    for (Executed each : executed) {
      statements.add(noteExecuted.bind(NOTED_SECONDS, each.number, each.stamp, name, each.writer));
    }
    return execute(statements).thenApply(page -> swapped(page, state));
  }

  private static Swap swapped(AsyncResultSet page, byte[] after) {
    if (page.wasApplied()) {
      return new Swap(true, Level.of(after));
    }
    Row row = page.one();
    boolean exists = row != null && row.getColumnDefinitions().contains("state");
    if (row == null || !exists) {
      return new Swap(false, Level.NONE);
    }
    Long mark = row.isNull("asked") ? null : Long.valueOf(row.getLong("asked"));
    return new Swap(
        false,
        new Level(bytes(row.getByteBuffer("state")), mark, mark == null ? List.of() : null, 0));
  }

  /**
   * Appends claims, whatever the state is.
   *
   * @param writer whose claims of earlier appends are replaced, if they aren't executed yet
   * @param number larger than that of every earlier append of this writer
   * @param claims as {@link AppendedClaims} writes them
   */
  CompletionStage<?> append(String name, UUID writer, long number, byte[] claims) {
    long different = ThreadLocalRandom.current().nextLong();
    return execute(
        List.of(
            append.bind(WAITING_SECONDS, number, ByteBuffer.wrap(claims), name, writer),
            mark.bind(WAITING_SECONDS, different, name, NOBODY)));
  }

  private CompletionStage<AsyncResultSet> execute(List<BatchableStatement<?>> statements) {
    return session.executeAsync(
        statements.size() == 1
            ? (BoundStatement) statements.get(0)
            : BatchStatement.newInstance(BatchType.UNLOGGED, statements)
                .setConsistencyLevel(write)
                .setSerialConsistencyLevel(serial)
                .setIdempotent(false));
  }

  /**
   * Forgets a bucket and what is appended to it, by an empty state that outlives the one it
   * replaces. The tombstone of a removed row would expire sooner, and a replica that was away would
   * bring the old state back.
   */
  CompletionStage<?> forget(String name) {
    return read(name)
        .thenCompose(
            found -> {
              List<Executed> dropped =
                  found.waiting().stream().map(each -> each.executed(0)).toList();
              if (found.isFresh() && dropped.isEmpty()) {
                return CompletableFuture.completedFuture(found);
              }
              return swap(name, found, null, found.seconds + RowLifetime.MARGIN, dropped)
                  .thenCompose(
                      swapped ->
                          swapped.applied
                              ? CompletableFuture.completedFuture(swapped)
                              : forget(name).thenApply(any -> swapped)); // others were faster
            });
  }

  private static byte @Nullable [] bytes(@Nullable ByteBuffer buffer) {
    if (buffer == null) {
      return null;
    }
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /**
   * A bucket that is kept whole, with what is appended to it.
   *
   * @param state its bytes; null if there are none, empty if it was forgotten
   * @param mark null if nothing is appended
   * @param rows of the nodes that append; null if they weren't read, although there is a mark
   * @param seconds until the state expires, as of the reading
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Level(
      byte @Nullable [] state, @Nullable Long mark, @Nullable List<AppenderRow> rows, int seconds) {
    static final Level NONE = new Level(null, null, List.of(), 0);

    static Level of(byte[] state) {
      return new Level(state, null, List.of(), 0);
    }

    /** Returns whether it says all that is needed to replace it. */
    boolean isComplete() {
      return rows != null;
    }

    /** Returns the same with another state, for what is computed from it. */
    Level with(byte @Nullable [] other) {
      return new Level(other, mark, rows, seconds);
    }

    boolean isFresh() {
      return state == null || state.length == 0;
    }

    /** Returns the rows with claims that aren't executed yet. */
    List<AppenderRow> waiting() {
      return rows == null ? List.of() : rows.stream().filter(AppenderRow::isWaiting).toList();
    }

    /** Returns the row of a writer. */
    @Nullable AppenderRow row(UUID writer) {
      return rows == null
          ? null
          : rows.stream().filter(each -> each.writer.equals(writer)).findFirst().orElse(null);
    }
  }

  /**
   * The claims that one node has appended last.
   *
   * @param number of the append; 0 once it is executed
   * @param executed the number of the last append that was executed
   * @param stamp the answer to that
   * @param claims as {@link AppendedClaims} writes them
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record AppenderRow(
      UUID writer, long number, long executed, long stamp, byte @Nullable [] claims) {
    boolean isWaiting() {
      return number > executed && claims != null;
    }

    Executed executed(long answer) {
      return new Executed(writer, number, answer);
    }
  }

  /** Appended claims that a new state contains, with the stamp that their node is answered. */
  record Executed(UUID writer, long number, long stamp) {}

  /**
   * The outcome of a replacement.
   *
   * @param applied false if the bucket was another one
   * @param now what it is now
   */
  record Swap(boolean applied, Level now) {}
}
