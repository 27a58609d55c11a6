package io.weir.internal.engine.warmup;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for stages in the thread that starts the application, for a limited time.
 *
 * <p>Safe for concurrent use.
 */
final class BoundedWait {
  private BoundedWait() {}

  /** Waits for a stage; returns the failure if it failed or timed out. */
  static Optional<Throwable> await(CompletionStage<?> stage, long nanos) {
    try {
      stage.toCompletableFuture().get(nanos, TimeUnit.NANOSECONDS);
      return Optional.empty();
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      return Optional.of(cause == null ? failed : cause);
    } catch (TimeoutException late) {
      return Optional.of(late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.of(interrupted);
    }
  }

  /** Sleeps, unless the thread is interrupted. */
  static void pause(long nanos) {
    await(new CompletableFuture<Void>(), nanos);
  }
}
