package io.weir.internal.rules.usage;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Writes what requests have collected, in one thread of its own. While the database is unavailable,
 * the parts keep what they can, and no request waits.
 *
 * <p>Writes little at a time and rests in between, so that a node with many callers doesn't keep
 * the database's processors from whoever else needs them: written at once, the usage of 10,000
 * callers doubled the 99th percentile of requests to a server beside its PostgreSQL.
 *
 * <p>Safe for concurrent use.
 */
public final class UsageWriter implements AutoCloseable {
  public static final Duration USUAL_INTERVAL = Duration.ofSeconds(2);

  /** The approximate number of rows of each part that a transaction changes. */
  static final int ROWS_PER_PART = 500;

  /**
   * The rest between two transactions of a write, as a multiple of the time that the first took.
   */
  private static final int REST = 3;

  private static final String FAILURE = "usage can't be written";
  private static final Logger LOG = System.getLogger("io.weir");
  private static final int MAX_ATTEMPTS = 5;
  private static final int MAX_PAUSE_MILLIS = 50;
  private static final long LAST_WRITE_MILLIS = 2_000;
  private static final long REJECTED_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** A table has changed since the statement was prepared, or the database lacks a feature. */
  private static final String NOT_SUPPORTED = "0A000";

  /** Another transaction changed the same rows: the next attempt may succeed. */
  private static final Set<String> CONFLICTS =
      Set.of("40001", "40P01", "23505", "55P03", "90131", "HYT00", NOT_SUPPORTED);

  /** Retrying won't help: bad values, a missing table or a missing right. */
  private static final Set<String> REJECTED = Set.of("22", "23", "42", "0A");

  private final RuleDatabase database;
  private final UserTombstones forgotten;
  private final Duration interval;
  private final Ticker ticker;
  private final List<UsageBuffer> parts = new CopyOnWriteArrayList<>();
  private final ScheduledThreadPoolExecutor thread;

  /** Parts of which the current write hasn't written all. Writer's thread only. */
  private List<UsageBuffer> left = List.of();

  /** The time that the current write has rested, in nanoseconds. Writer's thread only. */
  private long rested;

  /** Logs an outage of the database only once. Writer's thread only. */
  private boolean isUnavailable;

  /** Rejected parts, and when to try each again. Writer's thread only. */
  private final Map<UsageBuffer, Long> rejectedUntil = new HashMap<>();

  /** Rolls back: users were forgotten since their rows were collected. */
  private static final class ForgottenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // never serialized
    private final UserTombstones.Found found;

    ForgottenException(UserTombstones.Found found) {
      super("users were forgotten", null, false, false);
      this.found = found;
    }
  }

  private record Work(UsageBuffer part, UsageBuffer.RowBatch batch) {}

  /**
   * Writes nothing yet.
   *
   * @param database may be unavailable
   * @param interval the time from the end of a write to the next one
   */
  public UsageWriter(RuleDatabase database, Duration interval, Ticker ticker) {
    this.database = database;
    this.interval = interval;
    this.ticker = ticker;
    this.forgotten = new UserTombstones(ticker);
    this.thread =
        DaemonThreadFactory.scheduler(DaemonThreadFactory.ofApplication("weir-rules-usage"), 1);
  }

  /**
   * Adds a part, which is written from the next time on, after the parts that were added before.
   */
  public void add(UsageBuffer part) {
    parts.add(part);
  }

  public void start() {
    schedule(interval.toNanos());
  }

  private void schedule(long nanos) {
    if (!thread.isShutdown()) {
      var unused = thread.schedule(this::writeAndRest, nanos, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Goes on with the current write, or begins the next one. Its rests take no more than half of the
   * interval, and the pause after it is as much shorter.
   */
  private void writeAndRest() {
    long began = ticker.nanoTime();
    try {
      logFailures(
          () -> {
            if (left.isEmpty()) {
              gather();
            }
            writeNext();
          });
    } finally {
      rest(began); // whatever is thrown, by a logger too: nothing else would ever write again
    }
  }

  private void rest(long began) {
    long whole = interval.toNanos();
    if (left.isEmpty()) {
      schedule(whole - rested);
      rested = 0;
    } else {
      long rest = Math.min(REST * (ticker.nanoTime() - began), whole / 2 - rested);
      rested += rest;
      schedule(rest);
    }
  }

  /**
   * Writes now what was collected so far, and waits for it.
   *
   * @throws RulesUnavailableException if it wasn't written within the given time
   */
  public void flush(Duration patience) {
    Future<?> written = thread.submit(() -> write());
    try {
      written.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException late) {
      throw new RulesUnavailableException("usage couldn't be written in time", late);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes all without rests. */
  private void write() {
    logFailures(
        () -> {
          gather();
          while (!left.isEmpty() && !Thread.currentThread().isInterrupted()) {
            writeNext();
          }
        });
  }

  private void logFailures(Runnable step) {
    try {
      step.run();
      markAvailable();
    } catch (RulesUnavailableException e) {
      left = List.of();
      markUnavailable(e);
    } catch (RuntimeException | Error mistake) {
      left = List.of();
      LOG.log(Level.ERROR, "rules: " + FAILURE, mistake);
    }
  }

  private void gather() {
    parts.forEach(UsageBuffer::gather);
    forget(
        database.inTransaction(
            FAILURE, connection -> forgotten.read(connection, database.dialect())));
    left = List.copyOf(parts);
  }

  private void forget(UserTombstones.Found found) {
    if (!found.isEmpty()) {
      parts.forEach(part -> part.forget(found.users()));
    }
    forgotten.apply(found);
  }

  /** Writes the next batch of each part that has more. */
  private void writeNext() {
    List<Work> all = new ArrayList<>();
    for (UsageBuffer part : left) {
      Optional<UsageBuffer.RowBatch> batch = part.drain(ROWS_PER_PART);
      if (batch.isPresent() && isRejected(part)) {
        batch.get().failed(true);
      } else {
        batch.ifPresent(some -> all.add(new Work(part, some)));
      }
    }
    boolean again = !all.isEmpty() && write(all);
    left = all.stream().filter(each -> again || each.batch.isMore()).map(Work::part).toList();
  }

  private boolean isRejected(UsageBuffer part) {
    Long until = rejectedUntil.get(part);
    return until != null && ticker.nanoTime() - until < 0;
  }

  /** Writes batches; returns whether the parts have kept some that are to be written again now. */
  private boolean write(List<Work> all) {
    boolean isDone = false;
    try {
      isDone = writeTogether(all);
    } catch (RulesUnavailableException e) {
      all.forEach(each -> each.batch.failed(false));
      throw e;
    } catch (ForgottenException meanwhile) {
      all.forEach(each -> each.batch.failed(false));
      forget(meanwhile.found);
      return true; // without the users that are forgotten
    }
    if (isDone) {
      return false;
    }
    if (all.size() == 1) {
      all.get(0).batch.failed(true);
      return false;
    }
    // The database rejects one of them, which must not hold up the others.
    boolean again = false;
    for (int i = 0; i < all.size(); i++) {
      try {
        again |= write(all.subList(i, i + 1));
      } catch (RulesUnavailableException e) {
        all.subList(i + 1, all.size()).forEach(each -> each.batch.failed(false));
        throw e;
      }
    }
    return again;
  }

  /**
   * Writes batches in one transaction.
   *
   * @return false if the database rejects them; the parts don't know yet. True if they were
   *     written, or if the answer of the commit was lost; the parts know
   * @throws RulesUnavailableException if nothing is written, because the database is unavailable
   */
  private boolean writeTogether(List<Work> all) {
    for (int attempt = 1; ; attempt++) {
      boolean[] isExecuted = {false};
      try {
        database.inTransaction(
            FAILURE,
            connection -> {
              UserTombstones.Found found = forgotten.read(connection, database.dialect());
              if (!found.isEmpty()) {
                throw new ForgottenException(found);
              }
              for (Work each : all) {
                each.batch.write(connection, database.dialect());
              }
              isExecuted[0] = true;
              return true;
            });
        all.forEach(each -> each.batch.committed());
        all.forEach(each -> rejectedUntil.remove(each.part));
        return true;
      } catch (RulesUnavailableException e) {
        String state = SqlState.of(e);
        if (isExecuted[0] && !CONFLICTS.contains(state)) {
          LOG.log(
              Level.WARNING,
              "rules: "
                  + e.getMessage()
                  + "; it is unknown whether the commit succeeded, so it isn't repeated");
          all.forEach(each -> each.batch.failed(true));
          return true;
        }
        if (CONFLICTS.contains(state) && attempt < MAX_ATTEMPTS) {
          pause();
        } else if (state.equals(NOT_SUPPORTED)
            || !CONFLICTS.contains(state) && REJECTED.contains(SqlState.kind(state))) {
          reject(all, String.valueOf(e.getMessage()));
          return false;
        } else {
          throw e;
        }
      } catch (ForgottenException meanwhile) {
        throw meanwhile;
      } catch (RuntimeException mistake) {
        reject(all, String.valueOf(mistake));
        return false;
      }
    }
  }

  /** Stops writing a part for a while; logged once, until it can be written again. */
  private void reject(List<Work> all, String message) {
    if (all.size() == 1) {
      Long known = rejectedUntil.put(all.get(0).part, ticker.nanoTime() + REJECTED_NANOS);
      if (known == null) {
        LOG.log(
            Level.WARNING,
            "rules: "
                + message
                + "; it is dropped, and so is further usage until this is repaired");
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextInt(MAX_PAUSE_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void markUnavailable(RulesUnavailableException e) {
    if (!isUnavailable) {
      LOG.log(
          Level.WARNING, "rules: " + e.getMessage() + "; usage is buffered while there is room");
    }
    isUnavailable = true;
  }

  private void markAvailable() {
    if (isUnavailable) {
      LOG.log(Level.INFO, "rules: usage is written again");
      isUnavailable = false;
    }
  }

  /** Writes once more, for at most two seconds, and never again. Idempotent. */
  @Override
  public void close() {
    if (!thread.isShutdown()) {
      try {
        flush(Duration.ofMillis(LAST_WRITE_MILLIS));
      } catch (RulesUnavailableException late) {
        LOG.log(
            Level.WARNING,
            "rules: usage of the last seconds is lost: the database is unavailable or too slow");
      }
      thread.shutdownNow();
    }
  }
}
