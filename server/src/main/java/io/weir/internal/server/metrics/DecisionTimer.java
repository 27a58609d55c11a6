package io.weir.internal.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.weir.Ticker;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Measures how long the decisions of one listener take: {@link #start} before a decision is asked
 * for, {@link #stop} when it is known. A decision that is known at once costs no further object.
 *
 * <p>Safe for concurrent use.
 */
public final class DecisionTimer {
  public static final DecisionTimer NONE = new DecisionTimer(nanos -> {}, () -> 0);

  private final LongConsumer times;
  private final LongSupplier nanoTime;

  private DecisionTimer(LongConsumer times, LongSupplier nanoTime) {
    this.times = times;
    this.nanoTime = nanoTime;
  }

  /** Registers a timer, whose count is the number of requests for a decision. */
  public static DecisionTimer register(MeterRegistry registry, String listener, Ticker ticker) {
    Timer timer =
        Timer.builder("weir.server.decisions")
            .description("Time to decide requests, by listener")
            .tag("listener", listener)
            .register(registry);
    return new DecisionTimer(nanos -> timer.record(nanos, TimeUnit.NANOSECONDS), ticker::nanoTime);
  }

  public long start() {
    return nanoTime.getAsLong();
  }

  public void stop(long start) {
    times.accept(nanoTime.getAsLong() - start);
  }

  /**
   * Records a decision when it is known, also if it fails.
   *
   * @param decision completed by any thread
   */
  public <T> CompletionStage<T> stop(long start, CompletionStage<T> decision) {
    if (decision.toCompletableFuture().isDone()) {
      stop(start);
      return decision;
    }
    return decision.whenComplete((any, failure) -> stop(start));
  }
}
