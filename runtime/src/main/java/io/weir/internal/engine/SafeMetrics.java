package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Ticker;
import io.weir.internal.extension.SafeCalls;
import io.weir.spi.DecisionMetrics;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Reports to the application's metrics so that their failures don't fail requests, and logs what
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
      new SafeCalls(System.getLogger("io.weir"), "The metrics failed; decisions aren't affected");

  SafeMetrics(DecisionMetrics metrics, Ticker ticker) {
    this.metrics = metrics;
    this.ticker = ticker;
    this.shadowLog = new ShadowLog(ticker);
    this.timed = calls.get(metrics::isTimed, true);
  }

  /** Measures the duration of one decision. */
  @FunctionalInterface
  interface Stopwatch {
    Stopwatch NONE = () -> {};

    void stop();
  }

  /** Sets the supplier of the number of buckets; called once. */
  void bucketsHeld(LongSupplier held) {
    buckets = held;
    calls.run(() -> metrics.bucketsHeld(held));
  }

  void decided(Decision part) {
    shadowLog.decided(part);
    try { // a lambda would allocate an object for each decision
      metrics.decided(part);
    } catch (Throwable broken) {
      calls.failed(broken);
    }
  }

  /** Times one decision in {@value #TIMED_ONE_IN}. */
  Stopwatch start() {
    // A random number of the thread is cheaper than a shared counter.
    if (timed && ThreadLocalRandom.current().nextInt(TIMED_ONE_IN) == 0) {
      long start = ticker.nanoTime();
      return () -> took(ticker.nanoTime() - start);
    }
    return Stopwatch.NONE;
  }

  private void took(long nanos) {
    calls.run(() -> metrics.took(nanos));
  }

  void storeExecuted(int claims, long nanos) {
    calls.run(() -> metrics.storeExecuted(claims, nanos));
  }

  void struck(String policy) {
    calls.run(() -> metrics.struck(policy));
  }

  void banned(String policy, boolean isShadow) {
    calls.run(() -> metrics.banned(policy, isShadow));
  }

  void storeFailed() {
    calls.run(metrics::storeFailed);
  }

  void close() {
    calls.run(() -> metrics.limiterClosed(buckets));
  }
}
