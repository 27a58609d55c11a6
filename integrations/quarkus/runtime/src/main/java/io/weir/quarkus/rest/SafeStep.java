package io.weir.quarkus.rest;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Runs the steps of a decision so that a failure of the limiter itself admits the request. */
final class SafeStep {
  private static final System.Logger LOG = System.getLogger("io.weir.quarkus");
  private static final AtomicBoolean LOGGED = new AtomicBoolean();

  private SafeStep() {}

  /**
   * Runs one step.
   *
   * @param step may throw, or fail later
   * @return never completed exceptionally
   */
  static CompletableFuture<Void> run(Supplier<CompletionStage<Void>> step) {
    try {
      CompletableFuture<Void> started = step.get().toCompletableFuture();
      return started.isDone() && !started.isCompletedExceptionally()
          ? started
          : started.exceptionally(SafeStep::log);
    } catch (RuntimeException | LinkageError failure) {
      return CompletableFuture.completedFuture(log(failure));
    }
  }

  @SuppressWarnings("NullAway") // the only value of Void
  private static Void log(Throwable failure) {
    if (LOGGED.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.ERROR,
          "a request was admitted without a decision, since the limiter failed (logged once)",
          failure);
    }
    return null;
  }
}
