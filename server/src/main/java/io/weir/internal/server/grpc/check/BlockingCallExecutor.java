package io.weir.internal.server.grpc.check;

import io.grpc.Status;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.threads.RejectingPool;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
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
  private static final Duration IDLE = Duration.ofSeconds(30);

  private final ExecutorService threads;

  BlockingCallExecutor() {
    AtomicInteger count = new AtomicInteger();
    threads =
        new RejectingPool(
            work ->
                DaemonThreadFactory.named("weir-grpc-explain-" + count.incrementAndGet())
                    .newThread(work),
            THREADS,
            MAX_QUEUED,
            IDLE);
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
