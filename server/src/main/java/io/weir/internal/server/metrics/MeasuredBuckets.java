package io.weir.internal.server.metrics;

import io.micrometer.core.instrument.Timer;
import io.weir.store.ExactBuckets;
import io.weir.store.ExactRequest;
import java.util.concurrent.CompletionStage;

/** Measures how long exact buckets take. Safe for concurrent use. */
public final class MeasuredBuckets implements ExactBuckets {
  private final ExactBuckets buckets;
  private final Timer time;

  /**
   * Measures buckets.
   *
   * @param buckets count
   * @param time where it is measured
   */
  public MeasuredBuckets(ExactBuckets buckets, Timer time) {
    this.buckets = buckets;
    this.time = time;
  }

  @Override
  public <R> CompletionStage<R> execute(ExactRequest<R> request) {
    long before = System.nanoTime();
    return DecisionTimer.measure(time, before, buckets.execute(request));
  }
}
