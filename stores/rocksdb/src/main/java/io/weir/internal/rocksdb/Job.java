package io.weir.internal.rocksdb;

import io.weir.store.BucketFormatException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * What one caller asks, and waits for.
 *
 * <p>Executed by the writing thread, which completes it when all is written.
 *
 * @param <T> the answer
 */
final class Job<T> {
  private final Work<T> work;
  private final CompletableFuture<@Nullable T> answer = new CompletableFuture<>();
  private @Nullable T result;

  Job(Work<T> work) {
    this.work = work;
  }

  /** What is done in a batch. */
  @FunctionalInterface
  interface Work<T> {
    /** Does it; the result counts only when the batch is written. */
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
