package io.weir.internal.server.metrics;

import io.micrometer.core.instrument.Timer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Measures stages; most are completed when they come, and cost no further object then. */
final class DecisionTimer {
  private DecisionTimer() {}

  static <T> CompletionStage<T> measure(Timer time, long before, CompletionStage<T> stage) {
    if (stage.toCompletableFuture().isDone()) {
      time.record(System.nanoTime() - before, TimeUnit.NANOSECONDS);
      return stage;
    }
    return stage.whenComplete(
        (any, failure) -> time.record(System.nanoTime() - before, TimeUnit.NANOSECONDS));
  }
}
