package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Ticker;
import io.weir.internal.extension.SafeCalls;
import io.weir.spi.DecisionMetrics;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Reports to the application's metrics, whose failures don't become the request's; and logs what
 * policies in shadow mode would have refused.
 *
 * <p>Safe for concurrent use.
 */
final class SafeMetrics {
  private static final int TIMED_ONE_IN = 64;

  private final DecisionMetrics metrics;
  private final Ticker ticker;
  private final boolean timed;
  private final ShadowLog shadowLog;
  private volatile LongSupplier buckets = () -> 0;
  private final SafeCalls calls =
      new SafeCalls(System.getLogger("io.weir"), "The metrics fail; decisions go on");

  SafeMetrics(DecisionMetrics metrics, Ticker ticker) {
    this.metrics = metrics;
    this.ticker = ticker;
    this.shadowLog = new ShadowLog(ticker);
    this.timed = metrics != DecisionMetrics.none();
  }

  /** Measures how long one decision takes, from when it was started. */
  @FunctionalInterface
  interface Stopwatch {
    /** Measures nothing. */
    Stopwatch NONE = () -> {};

    /** Reports the time since the start. */
    void stop();
  }

  /** Sets where to read how many buckets there are; called once. */
  void bucketsHeld(LongSupplier held) {
    buckets = held;
    calls.run(() -> metrics.bucketsHeld(held));
  }

  void decided(Decision part) {
    shadowLog.decided(part);
    try { // a lambda would be an object for each decision
      metrics.decided(part);
    } catch (Throwable broken) {
      calls.failed(broken);
    }
  }

  /** Times one decision in {@value #TIMED_ONE_IN}. */
  Stopwatch start() {
    // Picked by a random number of the thread's own; a shared counter would cost more.
    if (timed && ThreadLocalRandom.current().nextInt(TIMED_ONE_IN) == 0) {
      long start = ticker.nanoTime();
      return () -> took(ticker.nanoTime() - start);
    }
    return Stopwatch.NONE;
  }

  private void took(long nanos) {
    calls.run(() -> metrics.took(nanos));
  }

  /** The shared store answered a call. */
  void storeExecuted(int claims, long nanos) {
    calls.run(() -> metrics.storeExecuted(claims, nanos));
  }

  /** A call of the shared store failed. */
  void storeFailed() {
    calls.run(metrics::storeFailed);
  }

  void close() {
    calls.run(() -> metrics.limiterClosed(buckets));
  }
}
