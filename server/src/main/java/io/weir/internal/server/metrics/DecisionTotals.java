package io.weir.internal.server.metrics;

import io.weir.Decision;
import io.weir.spi.DecisionMetrics;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Adds up the decisions of all policies, for {@code weir_nodes}, and passes every call on. Safe for
 * concurrent use.
 */
public final class DecisionTotals implements DecisionMetrics {
  private final DecisionMetrics next;
  private final LongAdder admitted = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder degraded = new LongAdder();
  private final LongAdder storeCalls = new LongAdder();
  private final LongAdder storeNanos = new LongAdder();

  /**
   * Creates totals of zero.
   *
   * @param next receives every call too
   */
  public DecisionTotals(DecisionMetrics next) {
    this.next = next;
  }

  @Override
  public void decided(Decision part) {
    (part.admitted() ? admitted : refused).increment();
    if (part.degraded()) {
      degraded.increment();
    }
    next.decided(part);
  }

  @Override
  public void took(long nanos) {
    next.took(nanos);
  }

  @Override
  public void bucketsHeld(LongSupplier held) {
    next.bucketsHeld(held);
  }

  @Override
  public void storeExecuted(int claims, long nanos) {
    storeCalls.increment();
    storeNanos.add(nanos);
    next.storeExecuted(claims, nanos);
  }

  @Override
  public void storeFailed() {
    next.storeFailed();
  }

  @Override
  public void limiterClosed(LongSupplier held) {
    next.limiterClosed(held);
  }

  @Override
  public void close() {
    next.close();
  }

  /** Returns the number of policies' decisions that admitted a request. */
  long admitted() {
    return admitted.sum();
  }

  /** Returns the number of policies' decisions that refused a request. */
  long refused() {
    return refused.sum();
  }

  /** Returns the number of both that were degraded. */
  long degraded() {
    return degraded.sum();
  }

  /** Returns the store's average latency since the last call; empty if it wasn't called. */
  Optional<Duration> storeLatency() {
    long calls = storeCalls.sumThenReset();
    long nanos = storeNanos.sumThenReset();
    return calls == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(nanos / calls));
  }
}
