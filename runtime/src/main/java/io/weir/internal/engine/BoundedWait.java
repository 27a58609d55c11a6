package io.weir.internal.engine;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits at the start, where a thread may.
 *
 * <p>Safe for concurrent use.
 */
final class BoundedWait {
  private BoundedWait() {}

  /**
   * Waits for the end of something, but no longer than that; says why it didn't come to its end.
   */
  static Optional<Throwable> await(CompletionStage<?> end, long nanos) {
    try {
      end.toCompletableFuture().get(nanos, TimeUnit.NANOSECONDS);
      return Optional.empty();
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      return Optional.of(cause == null ? failed : cause);
    } catch (TimeoutException late) {
      return Optional.of(late);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return Optional.of(asked);
    }
  }

  /** Lets so much time pass, unless the thread is asked to end. */
  static void pause(long nanos) {
    await(new CompletableFuture<Void>(), nanos);
  }
}
