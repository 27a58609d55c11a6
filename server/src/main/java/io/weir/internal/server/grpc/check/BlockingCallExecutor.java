package io.weir.internal.server.grpc.check;

import io.grpc.Status;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Runs the few calls that wait for database or store on threads of their own, so that no event loop
 * does. Of these threads and of calls that wait for one there are only so many.
 *
 * <p>Safe for concurrent use.
 */
final class BlockingCallExecutor implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int MOST_WAITING = 100;
  private static final int IDLE_SECONDS = 30;

  private final ThreadPoolExecutor threads;

  BlockingCallExecutor() {
    AtomicInteger count = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            work -> {
              Thread thread = new Thread(work, "weir-grpc-explain-" + count.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /** Completed exceptionally with RESOURCE_EXHAUSTED if too many are waiting. */
  <T> CompletionStage<T> run(Supplier<T> call) {
    try {
      return CompletableFuture.supplyAsync(call, threads);
    } catch (RejectedExecutionException full) {
      return CompletableFuture.failedFuture(
          Status.RESOURCE_EXHAUSTED
              .withDescription("too many Explain and Status are under way")
              .asRuntimeException());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
