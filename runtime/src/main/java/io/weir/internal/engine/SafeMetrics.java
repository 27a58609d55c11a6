package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Ticker;
import io.weir.internal.extension.PartFailures;
import io.weir.spi.DecisionMetrics;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Feeds the metrics, and keeps their trouble away from the requests.
 *
 * <p>Safe for concurrent use.
 */
final class SafeMetrics {
  private static final int ONE_OF = 64;

  private final DecisionMetrics metrics;
  private final Ticker ticker;
  private final boolean times;
  private final ShadowLog shadows;
  private final PartFailures failures =
      new PartFailures(System.getLogger("io.weir"), "The metrics fail; decisions go on");

  SafeMetrics(DecisionMetrics metrics, Ticker ticker) {
    this.metrics = metrics;
    this.ticker = ticker;
    this.shadows = new ShadowLog(ticker);
    this.times = metrics != DecisionMetrics.none();
  }

  /** Says where to read how many buckets there are. */
  void bucketsHeld(LongSupplier held) {
    try {
      metrics.bucketsHeld(held);
    } catch (Throwable broken) {
      failures.report(broken);
    }
  }

  void decided(Decision part) {
    shadows.decided(part);
    try {
      metrics.decided(part);
    } catch (Throwable broken) {
      failures.report(broken);
    }
  }

  /** Times one decision of 64, from here to its stop. */
  Stopwatch start() {
    // A number of each thread's own, since a counter that all share would cost more than the rest.
    if (times && ThreadLocalRandom.current().nextInt(ONE_OF) == 0) {
      long start = ticker.nanoTime();
      return () -> took(ticker.nanoTime() - start);
    }
    return Stopwatch.NONE;
  }

  private void took(long nanos) {
    try {
      metrics.took(nanos);
    } catch (Throwable broken) {
      failures.report(broken);
    }
  }

  /** Takes note of a settle that a shared store answered. */
  void storeExecuted(int claims, long nanos) {
    try {
      metrics.storeExecuted(claims, nanos);
    } catch (Throwable broken) {
      failures.report(broken);
    }
  }

  /** Takes note of a settle that failed. */
  void storeFailed() {
    try {
      metrics.storeFailed();
    } catch (Throwable broken) {
      failures.report(broken);
    }
  }

  void close() {
    try {
      metrics.close();
    } catch (Throwable broken) {
      failures.report(broken);
    }
  }
}
