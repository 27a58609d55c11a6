package io.weir.internal.server.grpc.check;

import io.grpc.Status;
import io.weir.internal.threads.DaemonThreadFactory;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Runs the few calls that wait for the database or the store on threads of its own, so that no
 * event loop blocks. Threads and queued calls are bounded.
 *
 * <p>Safe for concurrent use.
 */
final class BlockingCallExecutor implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int MAX_QUEUED = 100;
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
            new ArrayBlockingQueue<>(MAX_QUEUED),
            work ->
                DaemonThreadFactory.named("weir-grpc-explain-" + count.incrementAndGet())
                    .newThread(work));
    threads.allowCoreThreadTimeOut(true);
  }

  /** Runs a call; completes exceptionally with RESOURCE_EXHAUSTED if too many are queued. */
  <T> CompletionStage<T> run(Supplier<T> call) {
    try {
      return CompletableFuture.supplyAsync(call, threads);
    } catch (RejectedExecutionException full) {
      return CompletableFuture.failedFuture(
          Status.RESOURCE_EXHAUSTED
              .withDescription("too many Explain and Status calls are under way")
              .asRuntimeException());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
