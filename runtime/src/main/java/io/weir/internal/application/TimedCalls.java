package io.weir.internal.application;

import io.weir.internal.guard.NextDecisionReader.Deadline;
import io.weir.internal.threads.DaemonThreadFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Calls code of the application in threads of its own, for a limited time. A call that is late is
 * interrupted; while many of them hang, no other begins. Safe for concurrent use.
 */
final class TimedCalls implements Deadline {
  private static final int MAX_CALLS = 16;

  private final Semaphore places = new Semaphore(MAX_CALLS);
  private final Duration timeout;

  TimedCalls(Duration timeout) {
    this.timeout = timeout;
  }

  @Override
  public <T> Optional<T> call(Supplier<T> call) {
    if (!places.tryAcquire()) {
      return Optional.empty();
    }
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              try {
                return call.get();
              } finally {
                places.release();
              }
            });
    DaemonThreadFactory.ofApplication("weir-explain").newThread(task).start();
    try {
      return Optional.of(task.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException late) {
      task.cancel(true);
    } catch (InterruptedException interrupted) {
      task.cancel(true);
      Thread.currentThread().interrupt();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw new IllegalStateException(failed.getCause());
    }
    return Optional.empty();
  }
}
