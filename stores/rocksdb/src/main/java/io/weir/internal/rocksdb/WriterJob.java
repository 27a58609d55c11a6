package io.weir.internal.rocksdb;

import io.weir.store.BucketFormatException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * A piece of work for the writing thread, and its answer.
 *
 * <p>The writing thread executes it, and completes it once its batch is written.
 */
final class WriterJob<T> {
  private final Work<T> work;
  private final CompletableFuture<@Nullable T> answer = new CompletableFuture<>();
  private @Nullable T result;

  WriterJob(Work<T> work) {
    this.work = work;
  }

  @FunctionalInterface
  interface Work<T> {
    /** Does the work; the result counts only when the batch is written. */
    @Nullable T in(ClaimBatch batch) throws RocksDBException;
  }

  CompletableFuture<@Nullable T> answer() {
    return answer;
  }

  void execute(ClaimBatch batch) throws RocksDBException {
    try {
      result = work.in(batch);
    } catch (BucketFormatException | DatabaseException ofThisAlone) {
      fail(ofThisAlone);
    }
  }

  void complete() {
    answer.complete(result);
  }

  void fail(Throwable reason) {
    answer.completeExceptionally(reason);
  }
}
