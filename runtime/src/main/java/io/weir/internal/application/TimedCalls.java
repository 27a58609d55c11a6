package io.weir.internal.application;

import io.weir.internal.guard.NextDecisionReader.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Calls code of the application in threads of its own, for a limited time. A call that is late is
 * interrupted; while many of them hang, no other begins.
 *
 * <p>Safe for concurrent use.
 */
final class TimedCalls implements Deadline {
  private static final int MAX_CALLS = 16;

  private final Semaphore places = new Semaphore(MAX_CALLS);
  private final Duration timeout;
  private final ThreadFactory threads;

  /**
   * Creates the calls of an application.
   *
   * @param threads makes the thread of each call
   */
  TimedCalls(Duration timeout, ThreadFactory threads) {
    this.timeout = timeout;
    this.threads = threads;
  }

  @Override
  public <T> Optional<T> call(Supplier<T> call) {
    if (!places.tryAcquire()) {
      return Optional.empty();
    }
    AtomicBoolean isReleased = new AtomicBoolean();
    Runnable release =
        () -> {
          if (isReleased.compareAndSet(false, true)) {
            places.release();
          }
        };
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              try {
                return call.get();
              } finally {
                release.run(); // before the answer is known, as the next call may follow at once
              }
            });
    if (!start(task, release)) {
      return Optional.empty();
    }
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

  /** Starts a thread; false if the process may start none. */
  private boolean start(FutureTask<?> task, Runnable release) {
    try {
      threads
          .newThread(
              () -> {
                task.run();
                release.run(); // of a call that was cancelled before it began
              })
          .start();
      return true;
    } catch (OutOfMemoryError noThread) {
      release.run();
      return false;
    }
  }
}
