package io.weir.internal.postgres;

import io.weir.internal.store.StoreFailureLog;
import io.weir.internal.store.StoreUnavailableException;
import io.weir.store.BucketFormatException;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Executes operations on several buckets of one epoch, in rounds: each computes the buckets from
 * what the node knows of their rows, and replaces, by one statement, those rows that are still so.
 * The next round does the others again from what the statement found, until all are done or their
 * time has passed.
 *
 * <p>A bucket that the node knows nothing of is taken for new: if so, one round trip is enough.
 *
 * <p>Claims that take nothing, such as debts, are {@linkplain AppendedClaims appended} once they
 * have lost a race, so that a node far away needn't win one. That is computed from the row with
 * them, as everybody will. Only where many stand there already, the row is replaced, without them.
 *
 * <p>Confine to one thread.
 */
final class OperationBatch {
  /** How long a row may have expired that is still compared; less than the sweep waits. */
  private static final long STALE_MICROS = 30_000_000;

  /** The rounds without a pause before the next one. */
  private static final int FREE_ROUNDS = 2;

  /** The round trip from which other nodes are let by. */
  private static final long FAR_MICROS = 2_000;

  /** The most round trips for which they are. */
  private static final long REST_ROUNDS = 3;

  /** The shortest pause before a row that was left out is tried again. */
  private static final long LEFT_MICROS = 2_000;

  /** The most times that claims are appended to a row that nobody replaces. */
  private static final int MOST_APPENDED = 16;

  private static final long NANOS_OF_MICRO = 1_000;

  private final long epoch;
  private final BucketTable table;
  private final RowCache rows;
  private final StoreClock clock;
  private final StoreFailureLog log;
  private final long patience;
  private final Map<ByteBuffer, Long> rests = new HashMap<>();
  private int rounds;
  private long roundTrip;
  private List<Member> open = new ArrayList<>();

  /**
   * Starts without operations.
   *
   * @param patience how long a row may stay locked by others, and half as long as other nodes may
   *     be faster; in microseconds
   */
  OperationBatch(
      long epoch,
      BucketTable table,
      RowCache rows,
      StoreClock clock,
      StoreFailureLog log,
      long patience) {
    this.epoch = epoch;
    this.table = table;
    this.rows = rows;
    this.clock = clock;
    this.log = log;
    this.patience = patience;
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
        rejectLate(clock.evenMicros());
        if (!open.isEmpty()) {
          pause();
        }
      }
    } catch (SQLException | RuntimeException | Error failure) {
      failAll(
          failure instanceof SQLException said
              ? new StoreUnavailableException(Failures.text(said))
              : failure);
      throw failure;
    }
  }

  /** Ends those whose time has passed. The database works, so it isn't an outage. */
  private void rejectLate(long now) {
    open.removeIf(
        each -> {
          long waited = now - each.askedAt();
          if (each.isLeft() && waited > patience) {
            rows.forget(each.key);
            each.reject(new StoreUnavailableException("the row was locked until the time-out"));
            return true;
          }
          boolean late = waited + roundTrip > 2 * patience; // another round would be too late
          if (late) {
            each.lose(
                new StoreUnavailableException("other nodes were faster until the time-out"),
                2 * roundTrip);
          }
          return late;
        });
  }

  /**
   * Returns how long the node shouldn't claim a bucket again, as other nodes were faster: it would
   * be faster than those that lost to it.
   *
   * @return microseconds; 0 unless the server is far away
   */
  long restMicros(byte[] key) {
    return rests.getOrDefault(ByteBuffer.wrap(key), 0L);
  }

  private void rest(Member contended) {
    if (roundTrip >= FAR_MICROS) {
      long most = Math.min(REST_ROUNDS * roundTrip, Math.max(roundTrip, patience / 2));
      rests.put(
          ByteBuffer.wrap(contended.key),
          ThreadLocalRandom.current().nextLong(roundTrip / 2, most + 1));
    }
  }

  /**
   * Lets others be faster by chance, so that no node loses again and again to one that is as near.
   */
  private void pause() {
    boolean anyLeft = open.stream().anyMatch(Member::isLeft);
    if (rounds < FREE_ROUNDS && !anyLeft) {
      return;
    }
    long least = anyLeft ? LEFT_MICROS : 1;
    long most = Math.max(2 * least, Math.min(roundTrip, patience / 2));
    long micros = ThreadLocalRandom.current().nextLong(least, most + 1);
    LockSupport.parkNanos(micros * NANOS_OF_MICRO);
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
    rounds++;
    append(session);
    replace(session);
  }

  /** Appends what is to be; a row that is missing or locked is replaced instead. */
  private void append(PostgresSession session) throws SQLException {
    List<Member> appending = open.stream().filter(each -> each.appends).toList();
    if (appending.isEmpty()) {
      return;
    }
    long now = clock.now();
    long sentAt = clock.evenMicros();
    ClaimAppender.Answer answer =
        table.append(
            session,
            epoch,
            BucketRow.randomGrowth(),
            appending.stream().map(each -> each.toAppend(now)).toList());
    if (!answer.sameEpoch()) {
      failAll(new DataLossException());
      return;
    }
    BucketOperation.Round round = new BucketOperation.Round(0, sentAt, clock.uncertainty());
    for (int i = 0; i < appending.size(); i++) {
      Member each = appending.get(i);
      BucketRow row = answer.rows().get(i);
      each.appends = false;
      if (row.version() != 0) {
        each.known = row;
        rows.learn(each.key, row);
        open.remove(each);
        if (compute(each, () -> each.computeAppended(row))) {
          each.answer(round);
        }
      }
    }
  }

  private void replace(PostgresSession session) throws SQLException {
    long behind = clock.now();
    long now = clock.nowOnArrival();
    long sentAt = clock.evenMicros();
    long growth = BucketRow.randomGrowth();
    open.removeIf(each -> !compute(each, () -> each.compute(now, growth)));
    if (open.isEmpty()) {
      return;
    }
    SwapResult result =
        table.swap(
            session, epoch, growth, clock.from(now), open.stream().map(each -> each.swap).toList());
    clock.hearLag(behind, result.time());
    roundTrip = clock.evenMicros() - sentAt;
    if (!result.sameEpoch()) {
      failAll(new DataLossException());
      return;
    }
    boolean reached = clock.isReached(now, result.time());
    List<Member> again = new ArrayList<>();
    List<Member> done = new ArrayList<>();
    for (int i = 0; i < open.size(); i++) {
      Member each = open.get(i);
      SwapResult.Row row = result.rows().get(i);
      BucketRow after = row.done() ? each.swap.after() : null;
      boolean swapped = after != null;
      boolean wasKnown = each.known.version() != 0;
      each.known = after == null ? row.found() : after;
      if (!row.done() && !row.left()) {
        each.appends = wasKnown && each.mayBeAppended();
        if (!each.appends) {
          rest(each);
        }
      }
      each.noteLeft(row.left() && reached && result.time() < each.swap.until());
      rows.learn(each.key, each.known);
      (swapped || row.done() && reached ? done : again).add(each);
    }
    open = again;
    if (reached) {
      open.removeIf(each -> isDecidedBy(each, now, growth, done));
    }
    BucketOperation.Round round =
        new BucketOperation.Round(clock.passed(now, result.time()), sentAt, clock.uncertainty());
    done.forEach(each -> each.answer(round));
  }

  /**
   * Returns whether a row that wasn't as expected decides by itself, as one without permits does:
   * the statement has seen it, and the epoch, at the same moment.
   */
  private boolean isDecidedBy(Member each, long now, long growth, List<Member> done) {
    if (!compute(each, () -> each.compute(now, growth))) {
      return true;
    }
    boolean decided = each.swap.after() == null;
    if (decided) {
      done.add(each);
    }
    return decided;
  }

  /**
   * Computes the next row of a bucket; false if that bucket can't be counted, so that it failed.
   */
  private boolean compute(Member each, Runnable computation) {
    try {
      computation.run();
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

  private static final class Member {
    private final byte[] key;
    private final List<BucketOperation> operations;
    private BucketRow known = BucketRow.NONE;
    private RowSwap swap;

    /** Whether the next round appends the claims, as others were faster. */
    private boolean appends;

    /** The number of last rounds that left the row out, although it was as expected. */
    private int timesLeft;

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
      long until = Long.MAX_VALUE;
      for (BucketOperation each : operations) {
        BucketOperation.Step step = each.step(state, now);
        if (step.changed()) {
          changed = true;
          state = step.state();
          expiresAt = state == null ? now : step.expiresAt();
          until = Math.min(until, step.until());
        }
      }
      BucketRow after = new BucketRow(known.nextVersion(growth), state, expiresAt);
      swap = new RowSwap(key, known, changed ? after : null, until);
    }

    /** Returns whether the row has room for all of them. */
    boolean mayBeAppended() {
      return known.version() != 0
          && operations.stream().noneMatch(each -> each.takingNothing().isEmpty())
          && AppendedClaims.count(known.state()) < MOST_APPENDED;
    }

    RowAppend toAppend(long now) {
      List<Claim> claims =
          operations.stream().flatMap(each -> each.takingNothing().stream()).toList();
      long life = operations.stream().mapToLong(each -> each.life(now)).sum();
      return new RowAppend(key, AppendedClaims.withoutTime(claims), life);
    }

    /**
     * Computes the answers to claims that stand in a row.
     *
     * @throws IllegalArgumentException if this bucket can't be counted
     */
    void computeAppended(BucketRow row) {
      AppendedClaims.Newest own = AppendedClaims.newest(row.storedState());
      byte @Nullable [] state = own.before();
      for (BucketOperation each : operations) {
        BucketOperation.Step step = each.step(state, own.at());
        state = step.changed() ? step.state() : state;
      }
    }

    void noteLeft(boolean left) {
      timesLeft = left ? timesLeft + 1 : 0;
    }

    /** Returns whether others have locked the row; once may be a race. */
    boolean isLeft() {
      return timesLeft > 1;
    }

    long askedAt() {
      return operations.stream().mapToLong(BucketOperation::askedAt).min().orElseThrow();
    }

    void answer(BucketOperation.Round round) {
      operations.forEach(each -> each.answer(round));
    }

    void fail(Throwable failure) {
      operations.forEach(each -> each.fail(failure));
    }

    void lose(RuntimeException why, long retry) {
      operations.forEach(each -> each.lose(why, retry));
    }

    void reject(RuntimeException why) {
      operations.forEach(each -> each.reject(why));
    }
  }
}
