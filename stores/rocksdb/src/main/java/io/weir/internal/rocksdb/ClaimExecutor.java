package io.weir.internal.rocksdb;

import io.weir.Ticker;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketPage;
import io.weir.store.Claim;
import io.weir.store.ExactBuckets;
import io.weir.store.ExactRequest;
import io.weir.store.Grant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Runs the thread that reads and writes buckets. It takes all waiting claims, executes them, writes
 * their changes in one batch, and only then answers them. So every grant in use has been written,
 * and batches grow with the load.
 *
 * <p>After a failed write, on a full disk for example, the database is closed. The next claims open
 * it again, at most once a second, and fail until that works.
 *
 * <p>Safe for concurrent use.
 */
final class ClaimExecutor implements ExactBuckets, AutoCloseable {
  private static final int MAX_WAITING = 100_000;
  private static final int MAX_AT_ONCE = 1_000;
  private static final long TIDY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long REOPEN_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long JOIN_MILLIS = 10_000;

  private final Path directory;
  private final long cacheBytes;
  private final ExactTableSizes sizes;
  private final BucketArithmetic arithmetic;
  private final BucketKeyEncoder keys;
  private final Ticker ticker;
  private final BlockingQueue<WriterJob<?>> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final Thread thread = DaemonThreadFactory.named("weir-rocksdb").newThread(this::run);
  private final DiskSync disk;
  private final DatabaseFailureLog log;
  private final SyncThread syncs;

  /** Held while the database is closed or synced. */
  private final Object databaseLock = new Object();

  private volatile boolean closed;
  private volatile long size;

  /** Used by the writing thread, and by syncs under the lock. */
  private @Nullable BucketDatabase database;

  private @Nullable DatabaseException failure;
  private long failedAt; // if there is a failure
  private long tidiedAt;

  /** Null while the database is closed. */
  private volatile @Nullable ExactBucketTable exact;

  /** The reason for which the writing thread has to close and reopen the database. */
  private volatile @Nullable DatabaseException fault;

  /**
   * Opens the database and starts.
   *
   * @throws DatabaseException if it can't be opened
   */
  ClaimExecutor(
      Path directory,
      long cacheBytes,
      ExactTableSizes sizes,
      Duration sync,
      DiskSync disk,
      BucketArithmetic arithmetic,
      BucketHasher names,
      Ticker ticker) {
    this.directory = directory;
    this.cacheBytes = cacheBytes;
    this.sizes = sizes;
    this.arithmetic = arithmetic;
    this.keys = new BucketKeyEncoder(names);
    this.ticker = ticker;
    this.disk = disk;
    this.log = new DatabaseFailureLog(directory, ticker);
    open();
    tidiedAt = ticker.nanoTime() - TIDY_NANOS;
    syncs = new SyncThread(sync, this::sync);
    thread.start();
  }

  private BucketDatabase open() {
    BucketDatabase opened = BucketDatabase.open(directory, cacheBytes, disk);
    ExactBucketTable table =
        new ExactBucketTable(
            directory, sizes, opened, keys, disk, this::wake, () -> syncs.syncSoon());
    try {
      opened.readSpecs(keys);
      table.recover(ticker.epochMicros());
      opened.dropExpired(ticker.epochMicros());
      size = opened.size();
    } catch (RocksDBException refused) {
      opened.close();
      throw DatabaseException.of(directory, refused);
    } catch (DatabaseException explained) {
      opened.close();
      throw explained;
    } catch (DamagedJournalException damaged) {
      opened.close();
      throw DatabaseException.damaged(directory, damaged);
    } catch (RuntimeException | Error unreadable) {
      opened.close();
      throw DatabaseException.of(directory, "can't be read: " + unreadable, unreadable);
    }
    synchronized (databaseLock) {
      database = opened;
      exact = table;
    }
    return opened;
  }

  CompletableFuture<List<Optional<Grant>>> execute(List<Claim> claims) {
    return add(
        new WriterJob<>(
            batch -> {
              List<Optional<Grant>> grants = new ArrayList<>(claims.size());
              for (Claim claim : claims) {
                grants.add(batch.execute(claim));
              }
              return grants;
            }));
  }

  CompletableFuture<?> forget(BucketId bucket) {
    return add(
        new WriterJob<Void>(
            batch -> {
              batch.forget(bucket);
              return null;
            }));
  }

  @Override
  public <R> CompletableFuture<R> execute(ExactRequest<R> request) {
    ExactBucketTable table = exact;
    if (table != null && !closed) {
      try {
        R reply = table.tryExecute(request, ticker.epochMicros());
        if (reply != null) {
          return CompletableFuture.completedFuture(reply);
        }
      } catch (IllegalStateException stopped) {
        // the journal is closed: the writing thread executes it, or fails it with the reason
      } catch (InternalError unwritable) { // the JVM's report of a failed mapped file
        fault = ofJournal(unwritable);
      }
    }
    return add(new WriterJob<R>(batch -> table().execute(request, batch.now())));
  }

  private ExactBucketTable table() {
    ExactBucketTable table = exact;
    if (table == null) {
      throw lastFailure();
    }
    return table;
  }

  /** Wakes the writing thread, which checks the journal. */
  private void wake() {
    var unused =
        waiting.offer(new WriterJob<Void>(batch -> null)); // if the queue is full, it is awake
  }

  private <T> CompletableFuture<T> add(WriterJob<T> job) {
    if (closed || !waiting.offer(job)) {
      return CompletableFuture.failedFuture(
          closed ? DatabaseException.closed(directory) : DatabaseException.busy(directory));
    }
    if (closed) { // the thread may have failed all waiting jobs before this one was added
      failAll(drained(), DatabaseException.closed(directory));
    }
    return job.answer();
  }

  CompletableFuture<BucketPage> scan(BucketPageReader scan) {
    return add(new WriterJob<>(batch -> batch.scan(scan)));
  }

  /** Estimates the number of buckets, at most a second ago. */
  long size() {
    return size;
  }

  private DatabaseException ofJournal(InternalError unwritable) {
    return DatabaseException.of(directory, "can't write its journal: " + unwritable, unwritable);
  }

  /** Syncs all writes since the last call to the disk. Any thread may call it. */
  void sync() {
    try {
      synchronized (databaseLock) {
        ExactBucketTable table = exact;
        if (table == null) {
          return;
        }
        table.sync();
      }
      log.noteSynced();
    } catch (RocksDBException ofLog) {
      // The system may take for written what it couldn't write. Reopening the database writes the
      // content of its log again.
      DatabaseException reason = DatabaseException.of(directory, ofLog);
      fault = reason;
      couldNotSync(reason);
    } catch (DatabaseException ofJournal) { // its file is going to be replaced
      couldNotSync(ofJournal);
    } catch (RuntimeException | Error unexpected) {
      couldNotSync(DatabaseException.of(directory, "can't be synced: " + unexpected, unexpected));
    }
  }

  boolean isSynced() {
    return log.isSynced();
  }

  private void couldNotSync(DatabaseException reason) {
    wake();
    log.noteUnsynced(reason);
  }

  private void run() {
    List<WriterJob<?>> jobs = new ArrayList<>();
    try {
      while (!closed) {
        WriterJob<?> first =
            isSaving() ? waiting.poll() : waiting.poll(TIDY_NANOS, TimeUnit.NANOSECONDS);
        if (first != null) {
          jobs.add(first);
          waiting.drainTo(jobs, MAX_AT_ONCE - 1);
          serve(jobs);
          jobs.clear();
        }
        tidy();
      }
    } catch (InterruptedException ended) {
      // closed: waiting jobs are still served
    } finally {
      closed = true;
      failAll(jobs, DatabaseException.closed(directory)); // jobs that weren't answered
      List<WriterJob<?>> last = drained();
      if (database != null) {
        serve(last);
        saveExact();
        sync();
      }
      failAll(last, DatabaseException.closed(directory));
      closeDatabase();
    }
  }

  private void serve(List<WriterJob<?>> jobs) {
    DatabaseException found = fault;
    if (found != null) {
      fault = null;
      failed(found);
    }
    BucketDatabase open = reopened();
    if (open == null) {
      failAll(jobs, lastFailure());
      return;
    }
    try {
      execute(open, jobs);
    } catch (RocksDBException refused) {
      failAll(jobs, failed(DatabaseException.of(directory, refused)));
      return;
    } catch (InternalError unwritable) {
      failAll(jobs, failed(ofJournal(unwritable)));
      return;
    } catch (RuntimeException | Error mistake) { // caused by one claim; the next ones may work
      failAll(jobs, mistake);
      return;
    }
    jobs.forEach(WriterJob::complete);
  }

  private void execute(BucketDatabase open, List<WriterJob<?>> jobs) throws RocksDBException {
    try (ClaimBatch batch = new ClaimBatch(open, keys, arithmetic, ticker.epochMicros())) {
      for (WriterJob<?> job : jobs) {
        job.execute(batch);
      }
      batch.write();
    }
    log.noteWritten();
  }

  /** Returns the database, reopened if need be; null if that isn't possible yet. */
  private @Nullable BucketDatabase reopened() {
    if (database != null) {
      return database;
    }
    if (failure != null && ticker.nanoTime() - failedAt < REOPEN_NANOS) {
      return null;
    }
    try {
      BucketDatabase opened = open();
      log.noteReopened();
      return opened;
    } catch (DatabaseException stillBroken) {
      failed(stillBroken);
      return null;
    } catch (RuntimeException | Error unexpected) { // out of memory, for example
      failed(DatabaseException.of(directory, "can't be opened: " + unexpected, unexpected));
      return null;
    }
  }

  private DatabaseException failed(DatabaseException what) {
    failure = what;
    failedAt = ticker.nanoTime();
    closeDatabase();
    return what;
  }

  private DatabaseException lastFailure() {
    return failure == null ? DatabaseException.closed(directory) : failure;
  }

  private boolean isSaving() {
    ExactBucketTable table = exact;
    return table != null && table.isSaving();
  }

  /**
   * Does the work that no claim waits for. Nothing that it throws keeps claims from being served.
   */
  private void tidy() {
    try {
      ExactBucketTable table = exact;
      if (table != null) {
        table.save(ticker.epochMicros());
        table.evict(ticker.epochMicros());
      }
      dropExpiredNowAndThen();
    } catch (RocksDBException refused) {
      failed(DatabaseException.of(directory, refused));
    } catch (InternalError unwritable) {
      failed(ofJournal(unwritable));
    } catch (RuntimeException | Error unexpected) {
      failed(DatabaseException.of(directory, "can't be cleaned up: " + unexpected, unexpected));
    }
  }

  private void saveExact() {
    ExactBucketTable table = exact;
    if (table != null) {
      try {
        table.close(ticker.epochMicros());
      } catch (RocksDBException refused) {
        log.couldNotSave(DatabaseException.of(directory, refused));
      } catch (RuntimeException | Error failed) {
        log.couldNotSave(failed);
      }
    }
  }

  private void dropExpiredNowAndThen() throws RocksDBException {
    BucketDatabase open = database;
    if (open != null && ticker.nanoTime() - tidiedAt >= TIDY_NANOS) {
      tidiedAt = ticker.nanoTime();
      open.dropExpired(ticker.epochMicros());
      size = open.size();
    }
  }

  private List<WriterJob<?>> drained() {
    List<WriterJob<?>> jobs = new ArrayList<>();
    waiting.drainTo(jobs);
    return jobs;
  }

  private static void failAll(List<WriterJob<?>> jobs, Throwable reason) {
    jobs.forEach(job -> job.fail(reason));
  }

  private void closeDatabase() {
    synchronized (databaseLock) {
      ExactBucketTable table = exact;
      exact = null;
      if (table != null) {
        table.stop();
      }
      BucketDatabase open = database;
      database = null;
      if (open != null) {
        open.close();
      }
    }
  }

  /** Writes what is waiting, syncs, and ends; takes 10 s at most. */
  @Override
  public void close() {
    syncs.close();
    closed = true;
    thread.interrupt();
    boolean interrupted = false;
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException hurry) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
