package io.weir.internal.cassandra;

import io.weir.store.BucketArithmetic;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What all buckets of sums share.
 *
 * <p>Safe for concurrent use.
 */
final class SumContext {
  private final BucketArithmetic arithmetic;
  private final StoreClock clock;
  private final Supplier<Table> table;
  private final AtomicInteger writingBack = new AtomicInteger();
  private final Epochs epochs;
  private final Delays delays;
  private final long patienceNanos;
  private final BooleanSupplier readsOwnWrites;

  SumContext(
      BucketArithmetic arithmetic,
      StoreClock clock,
      Supplier<Table> table,
      Epochs epochs,
      Delays delays,
      long patienceNanos,
      BooleanSupplier readsOwnWrites) {
    this.arithmetic = arithmetic;
    this.clock = clock;
    this.table = table;
    this.epochs = epochs;
    this.delays = delays;
    this.patienceNanos = patienceNanos;
    this.readsOwnWrites = readsOwnWrites;
  }

  BucketArithmetic arithmetic() {
    return arithmetic;
  }

  StoreClock clock() {
    return clock;
  }

  /** The table; fails with a {@link StoreAwayException} while there is no connection. */
  Table table() {
    return table.get();
  }

  Epochs epochs() {
    return epochs;
  }

  /** A row is being written back. */
  void beginsToWriteBack() {
    writingBack.incrementAndGet();
  }

  /** It is, or couldn't be. */
  void hasWrittenBack() {
    writingBack.decrementAndGet();
  }

  /** Whether no row is being written back, so that all say just what is charged. */
  boolean isQuiet() {
    return writingBack.get() == 0;
  }

  /** Runs something later. */
  void later(long nanos, Runnable task) {
    delays.later(nanos, task);
  }

  /** For how long claims that get in each other's way are tried again. */
  long patienceNanos() {
    return patienceNanos;
  }

  /** Whether what was written must be there to be read: whether reads and writes overlap. */
  boolean readsOwnWrites() {
    return readsOwnWrites.getAsBoolean();
  }

  /** Runs tasks later; they take microseconds. */
  interface Delays {
    /** Runs one. */
    void later(long nanos, Runnable task);
  }
}
