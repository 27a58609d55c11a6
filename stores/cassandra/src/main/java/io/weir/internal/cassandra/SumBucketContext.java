package io.weir.internal.cassandra;

import io.weir.internal.store.StoreUnavailableException;
import io.weir.store.BucketArithmetic;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Holds what all buckets of sums share.
 *
 * <p>Safe for concurrent use.
 */
final class SumBucketContext {
  private final BucketArithmetic arithmetic;
  private final StoreClock clock;
  private final Supplier<BucketTable> table;
  private final AtomicInteger writingBack = new AtomicInteger();
  private final EpochRows epochs;
  private final Delays delays;
  private final long patienceNanos;
  private final BooleanSupplier readsOwnWrites;
  private final ExchangeLag lagOfSums = new ExchangeLag();
  private final ExchangeLag lagOfSwaps = new ExchangeLag();

  SumBucketContext(
      BucketArithmetic arithmetic,
      StoreClock clock,
      Supplier<BucketTable> table,
      EpochRows epochs,
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

  /**
   * Returns the table; fails with a {@link StoreUnavailableException} while there is no connection.
   */
  BucketTable table() {
    return table.get();
  }

  EpochRows epochs() {
    return epochs;
  }

  /** Returns how long it takes to write sums and to read them. */
  ExchangeLag lagOfSums() {
    return lagOfSums;
  }

  /** Returns how long it takes to swap a bucket and to confirm the epoch. */
  ExchangeLag lagOfSwaps() {
    return lagOfSwaps;
  }

  /**
   * Returns what to expect of an exchange that follows one after which its slot had ended: more
   * than that took, as a claim for a moment that hasn't come only waits.
   */
  long nextLag(long micros) {
    return Math.min(micros + micros / 2, TimeUnit.NANOSECONDS.toMicros(patienceNanos));
  }

  /** Notes that a row is being written back. */
  void beginsToWriteBack() {
    writingBack.incrementAndGet();
  }

  /** Notes that it was written back, or couldn't be. */
  void hasWrittenBack() {
    writingBack.decrementAndGet();
  }

  /** Returns whether no row is being written back, so that all rows hold exactly the charges. */
  boolean isQuiet() {
    return writingBack.get() == 0;
  }

  void later(long nanos, Runnable task) {
    delays.later(nanos, task);
  }

  /** Returns the time for which claims that get in each other's way are retried. */
  long patienceNanos() {
    return patienceNanos;
  }

  /** Returns whether reads and writes overlap, so that a read sees every earlier write. */
  boolean readsOwnWrites() {
    return readsOwnWrites.getAsBoolean();
  }

  /** Runs tasks later; they take microseconds. */
  interface Delays {
    void later(long nanos, Runnable task);
  }
}
