package io.weir.internal.postgres;

import io.weir.store.BucketFormatException;
import io.weir.store.DataLossException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Executes operations on several buckets of one epoch, in rounds: each computes the buckets from
 * what the node knows of their rows, and replaces, by one statement, those rows that are still so.
 * The next round does the others again from what the statement found, until all are done or their
 * time has passed.
 *
 * <p>A bucket that the node knows nothing of is taken for new: if so, one round trip is enough.
 *
 * <p>Confine to one thread.
 */
final class OperationBatch {
  /** How long a row may have expired that is still compared; less than the sweep waits. */
  private static final long STALE_MICROS = 30_000_000;

  private final long epoch;
  private final BucketTable table;
  private final RowCache rows;
  private final StoreClock clock;
  private final PostgresFailureLog log;
  private final long deadline;
  private List<Member> open = new ArrayList<>();

  /**
   * Starts without operations.
   *
   * @param log reports rows that can't be read
   * @param deadline when rounds end, by the even clock in microseconds
   */
  OperationBatch(
      long epoch,
      BucketTable table,
      RowCache rows,
      StoreClock clock,
      PostgresFailureLog log,
      long deadline) {
    this.epoch = epoch;
    this.table = table;
    this.rows = rows;
    this.clock = clock;
    this.log = log;
    this.deadline = deadline;
  }

  /** Adds the operations on one bucket, in their order. */
  void add(byte[] key, List<BucketOperation> operations) {
    open.add(new Member(key, operations));
  }

  /** Executes all of them; each is answered or fails. */
  void run(PostgresSession session) throws SQLException {
    try {
      for (Member each : open) {
        BucketRow known = rows.find(each.key);
        each.known = known.expiresAt() + STALE_MICROS < clock.now() ? BucketRow.NONE : known;
      }
      while (!open.isEmpty()) {
        round(session);
        if (!open.isEmpty() && clock.evenMicros() - deadline > 0) {
          failAll(new PostgresUnavailableException("other nodes were faster until the time-out"));
        }
      }
    } catch (SQLException | RuntimeException | Error failure) {
      failAll(
          failure instanceof SQLException said
              ? new PostgresUnavailableException(Failures.text(said))
              : failure);
      throw failure;
    }
  }

  private void failAll(Throwable failure) {
    List<Member> failed = open;
    open = new ArrayList<>();
    for (Member each : failed) {
      rows.forget(each.key);
      each.fail(failure);
    }
  }

  private void round(PostgresSession session) throws SQLException {
    long now = clock.now();
    long uncertainty = clock.uncertainty();
    long begun = clock.evenMicros();
    long growth = BucketRow.randomGrowth();
    open.removeIf(each -> !compute(each, now, growth));
    if (open.isEmpty()) {
      return;
    }
    SwapResult result =
        table.swap(session, epoch, growth, open.stream().map(each -> each.swap).toList());
    if (!result.sameEpoch()) {
      failAll(new DataLossException());
      return;
    }
    long behind = clock.behind(now, uncertainty, begun, result.time());
    List<Member> again = new ArrayList<>();
    List<Member> done = new ArrayList<>();
    for (int i = 0; i < open.size(); i++) {
      Member each = open.get(i);
      SwapResult.Row row = result.rows().get(i);
      each.known = row.done() && each.swap.after() != null ? each.swap.after() : row.found();
      rows.learn(each.key, each.known);
      (row.done() ? done : again).add(each);
    }
    open = again;
    done.forEach(each -> each.answer(behind));
  }

  /**
   * Computes the next row of a bucket; false if that bucket can't be counted, so that it failed.
   */
  private boolean compute(Member each, long now, long growth) {
    try {
      each.compute(now, growth);
      return true;
    } catch (IllegalArgumentException why) {
      if (why instanceof BucketFormatException) {
        log.unreadable(why.getMessage());
      }
      rows.forget(each.key); // an operator may remove or restore the row
      each.reject(why);
      return false;
    }
  }

  /** The operations on one bucket. */
  private static final class Member {
    private final byte[] key;
    private final List<BucketOperation> operations;
    private BucketRow known = BucketRow.NONE;
    private RowSwap swap;

    Member(byte[] key, List<BucketOperation> operations) {
      this.key = key;
      this.operations = operations;
      this.swap = new RowSwap(key, known, null);
    }

    /**
     * Computes the next row.
     *
     * @throws IllegalArgumentException if this bucket can't be counted
     */
    void compute(long now, long growth) {
      byte @Nullable [] state = known.stateAt(now);
      boolean changed = false;
      long expiresAt = known.expiresAt();
      for (BucketOperation each : operations) {
        BucketOperation.Step step = each.step(state, now);
        if (step.changed()) {
          changed = true;
          state = step.state();
          expiresAt = state == null ? now : step.expiresAt();
        }
      }
      BucketRow after = new BucketRow(known.nextVersion(growth), state, expiresAt);
      swap = new RowSwap(key, known, changed ? after : null);
    }

    void answer(long uncertainty) {
      operations.forEach(each -> each.answer(uncertainty));
    }

    void fail(Throwable failure) {
      operations.forEach(each -> each.fail(failure));
    }

    void reject(IllegalArgumentException why) {
      operations.forEach(each -> each.reject(why));
    }
  }
}
