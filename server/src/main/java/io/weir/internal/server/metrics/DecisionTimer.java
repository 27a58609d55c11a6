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
  /** Measures nothing. */
  public static final DecisionTimer NONE = new DecisionTimer(nanos -> {}, () -> 0);

  private final LongConsumer times;
  private final LongSupplier nanoTime;

  private DecisionTimer(LongConsumer times, LongSupplier nanoTime) {
    this.times = times;
    this.nanoTime = nanoTime;
  }

  /**
   * Registers the timer of a listener.
   *
   * @param listener the value of its tag {@code listener}
   * @param ticker the source of time
   * @return a timer, whose count is the number of requests for a decision
   */
  public static DecisionTimer register(MeterRegistry registry, String listener, Ticker ticker) {
    Timer timer =
        Timer.builder("weir.server.decisions")
            .description("Time to decide requests, by listener")
            .tag("listener", listener)
            .register(registry);
    return new DecisionTimer(nanos -> timer.record(nanos, TimeUnit.NANOSECONDS), ticker::nanoTime);
  }

  /**
   * Starts to measure a decision.
   *
   * @return the start, for {@link #stop}
   */
  public long start() {
    return nanoTime.getAsLong();
  }

  /**
   * Records a decision that is known now.
   *
   * @param start of {@link #start}
   */
  public void stop(long start) {
    times.accept(nanoTime.getAsLong() - start);
  }

  /**
   * Records a decision when it is known, also if it fails.
   *
   * @param <T> the decision's type
   * @param start of {@link #start}
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
