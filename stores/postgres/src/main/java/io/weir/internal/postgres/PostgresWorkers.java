package io.weir.internal.postgres;

import io.weir.internal.store.MisconfiguredStoreException;
import io.weir.internal.store.StoreFailureLog;
import io.weir.internal.store.StoreUnavailableException;
import io.weir.internal.threads.DaemonThreadFactory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of a store by a few threads, each with a session of its own, so that no caller
 * waits for PostgreSQL. Claims use the session that was used last.
 *
 * <p>A server that has stopped answering may have been replaced, and each connection to it would
 * have to wait for its own time-out to notice. So what the store itself asks then, such as for the
 * epoch, opens a connection. All nodes do so at about the same time after the last answer, however
 * many connections each had: a node that noticed later than the others could no longer report what
 * it was granted.
 *
 * <p>Safe for concurrent use.
 */
final class PostgresWorkers implements AutoCloseable {
  private final OperationQueue operations = new OperationQueue();
  private final ArrayDeque<Job> jobs = new ArrayDeque<>();
  private final List<PostgresSession> sessions = new ArrayList<>();
  private final ArrayDeque<PostgresSession> idle = new ArrayDeque<>();
  private final SessionContext context;
  private final ExecutorService threads;
  private final ScheduledExecutorService timer;
  private final PostgresSchema schema;
  private final BucketTable table;
  private final RowCache rows;
  private final StoreClock clock;
  private final StoreFailureLog log;
  private final PostgresSettings settings;
  private final long patienceMicros;
  private boolean closed;

  PostgresWorkers(
      ConnectionSource source,
      SessionContext context,
      PostgresSettings settings,
      PostgresSchema schema,
      BucketTable table,
      StoreFailureLog log,
      ThreadFactory threads) {
    this.threads = DaemonThreadFactory.cached(threads);
    this.timer = DaemonThreadFactory.scheduler(threads, 1);
    this.schema = schema;
    this.table = table;
    this.rows = new RowCache(settings.maxBuckets());
    this.context = context;
    this.clock = context.clock();
    this.log = log;
    this.settings = settings;
    this.patienceMicros = micros(settings.storeTimeout());
    for (int i = 0; i < settings.get(PostgresSettings.CONNECTIONS); i++) {
      sessions.add(new PostgresSession(source, context));
    }
    idle.addAll(sessions);
  }

  private static long micros(Duration time) {
    return time.toNanos() / 1_000;
  }

  /** Queues an operation on a bucket, until {@link #wake} is called. */
  void add(byte[] key, BucketOperation operation) {
    operations.add(key, operation);
  }

  /** Executes something else, before operations that wait. */
  <T> CompletableFuture<T> submit(Task<T> task) {
    return begin(
        session -> {
          schema.prepare(session);
          return task.run(session);
        });
  }

  /** Reads something from the table, before operations that wait; empty if there is no table. */
  <T> CompletableFuture<Optional<T>> find(Task<Optional<T>> task) {
    return begin(session -> schema.isThere(session) ? task.run(session) : Optional.empty());
  }

  private <T> CompletableFuture<T> begin(Task<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    synchronized (this) {
      jobs.add(new TaskJob<>(task, result));
      start(true);
    }
    return result;
  }

  /** Makes what is known of a bucket's row be read again. */
  void forget(byte[] key) {
    rows.forget(key);
  }

  /** Makes a thread work if one is free. */
  synchronized void wake() {
    start(false);
  }

  /** Does something in a while, and works on; false if the store is closed. */
  private boolean later(Runnable work, long micros) {
    try {
      var unused =
          timer.schedule(
              () -> {
                work.run();
                wake();
              },
              micros,
              TimeUnit.MICROSECONDS);
      return true;
    } catch (RejectedExecutionException isClosed) {
      return false;
    }
  }

  /**
   * Makes a thread work if a session is free.
   *
   * @param ofStore whether the store itself asks, not callers
   */
  private void start(boolean ofStore) {
    if (closed) {
      failQueued();
      return;
    }
    PostgresSession session = ofStore ? rested() : idle.poll();
    boolean anew = ofStore && isSilent();
    if (session == null && anew) {
      giveUpLongest();
    }
    if (session != null) {
      try {
        threads.execute(
            () -> {
              if (anew) {
                session.giveUp();
              }
              work(session);
            });
      } catch (OutOfMemoryError noThread) { // the process may start no more of them just now
        idle.push(session); // what is queued waits for the next call
      }
    }
  }

  /** Returns whether the server has answered nothing for almost as long as callers wait. */
  private boolean isSilent() {
    return context.silentMicros() > patienceMicros - patienceMicros / 4;
  }

  /** Gives up the connection that has waited longest, so that its session can open another one. */
  private void giveUpLongest() {
    sessions.stream()
        .filter(each -> each.waitsSince() != PostgresSession.NOT_WAITING)
        .min(Comparator.comparingLong(PostgresSession::waitsSince))
        .ifPresent(
            each -> {
              try {
                threads.execute(each::giveUp);
              } catch (OutOfMemoryError noThread) {
                // then it ends by its time-out
              }
            });
  }

  /**
   * Returns the session whose connection rested longest, as firewalls drop those that are silent
   * for some minutes. The store's own tasks come all the time, so they keep all of them in use.
   */
  private @Nullable PostgresSession rested() {
    Iterator<PostgresSession> all = idle.descendingIterator();
    while (all.hasNext()) {
      PostgresSession each = all.next();
      if (each.isConnected()) {
        all.remove();
        return each;
      }
    }
    return idle.poll();
  }

  private void work(PostgresSession session) {
    Job job = next(session);
    while (job != null) {
      run(job, session);
      job = next(session);
    }
  }

  private synchronized @Nullable Job next(PostgresSession session) {
    Job job = jobs.poll();
    if (job == null) {
      List<OperationQueue.Turn> turns = operations.take();
      job = turns.isEmpty() ? null : new BatchJob(turns);
    }
    if (job == null) {
      idle.push(session);
      if (closed) {
        session.close();
      }
    }
    return job;
  }

  private void run(Job job, PostgresSession session) {
    try {
      job.run(session);
      log.answered();
    } catch (SQLException failure) {
      if (Failures.isTableMissing(failure)) {
        schema.recheck();
      }
      String advice = Failures.advice(failure, settings);
      if (advice != null) {
        log.failed(advice);
      }
      job.fail(new StoreUnavailableException(Failures.text(failure)));
    } catch (MisconfiguredStoreException failure) {
      log.failed(String.valueOf(failure.getMessage()));
      job.fail(failure);
    } catch (RuntimeException | Error failure) {
      job.fail(failure);
    }
  }

  private void failQueued() {
    StoreUnavailableException failure = new StoreUnavailableException("the store is closed");
    List<OperationQueue.Turn> turns = operations.take();
    while (!turns.isEmpty()) {
      new BatchJob(turns).fail(failure);
      turns = operations.take();
    }
    jobs.forEach(each -> each.fail(failure));
    jobs.clear();
  }

  /** Finishes what is under way, without waiting for it, and fails what is queued. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      idle.forEach(PostgresSession::close);
      failQueued();
      timer.shutdownNow();
      threads.shutdown();
    }
  }

  interface Task<T> {
    T run(PostgresSession session) throws SQLException;
  }

  private interface Job {
    void run(PostgresSession session) throws SQLException;

    /** Fails what isn't answered yet. */
    void fail(Throwable failure);
  }

  private record TaskJob<T>(Task<T> task, CompletableFuture<T> result) implements Job {
    @Override
    public void run(PostgresSession session) throws SQLException {
      result.complete(task.run(session));
    }

    @Override
    public void fail(Throwable failure) {
      result.completeExceptionally(failure);
    }
  }

  private final class BatchJob implements Job {
    private final List<OperationQueue.Turn> turns;
    private boolean done;

    BatchJob(List<OperationQueue.Turn> turns) {
      this.turns = turns;
    }

    @Override
    public void run(PostgresSession session) throws SQLException {
      schema.prepare(session);
      OperationBatch batch =
          new OperationBatch(turns.get(0).epoch(), table, rows, clock, log, patienceMicros);
      turns.forEach(each -> batch.add(each.key(), each.operations()));
      done = true;
      try {
        batch.run(session);
      } finally {
        end(batch);
      }
    }

    /** A bucket that other nodes claim too rests for a while, so that it is their turn. */
    private void end(OperationBatch batch) {
      List<OperationQueue.Turn> ended = new ArrayList<>();
      for (OperationQueue.Turn each : turns) {
        long rest = batch.restMicros(each.key());
        if (rest == 0 || !later(() -> operations.endTurn(each.key()), rest)) {
          ended.add(each);
        }
      }
      operations.endTurns(ended);
    }

    @Override
    public void fail(Throwable failure) {
      if (!done) {
        done = true;
        turns.forEach(turn -> turn.operations().forEach(each -> each.fail(failure)));
        operations.endTurns(turns);
      }
    }
  }
}
