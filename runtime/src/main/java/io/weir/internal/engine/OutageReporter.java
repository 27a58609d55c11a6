package io.weir.internal.engine;

import io.weir.Ticker;
import io.weir.internal.permits.StoreListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reports each call of the shared store to the metrics, and logs the beginning and the end of each
 * outage.
 *
 * <p>The log line has the message of the cause; its stack trace is logged at {@code DEBUG}. A
 * time-out explains nothing, so the first real cause that becomes known afterwards is logged too.
 *
 * <p>A store in trouble answers some calls and fails others. The outage ends only with an answer at
 * least a second after the last failure, or each failure would be an outage of its own.
 *
 * <p>Safe for concurrent use.
 */
final class OutageReporter implements StoreListener {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long CALM = Duration.ofSeconds(1).toNanos();

  private final Ticker ticker;
  private final SafeMetrics metrics;
  private final AtomicBoolean outage = new AtomicBoolean();
  private final AtomicBoolean unexplained = new AtomicBoolean();
  private volatile long failedAt;

  OutageReporter(Ticker ticker, SafeMetrics metrics) {
    this.ticker = ticker;
    this.metrics = metrics;
  }

  @Override
  public void storeExecuted(int claims, long nanos) {
    metrics.storeExecuted(claims, nanos);
  }

  @Override
  public void failed(Throwable cause) {
    log(cause);
    metrics.storeFailed();
  }

  /** Logs a failure that isn't a call of the store, or was counted as one before. */
  void log(Throwable cause) {
    failedAt = ticker.nanoTime();
    Throwable root = unwrapped(cause);
    if (outage.compareAndSet(false, true)) {
      unexplained.set(root instanceof TimeoutException);
      warn(
          "The store can't be reached; until it can, each policy decides by its onStoreFailure"
              + " (weir.on-store-failure): ",
          root);
    } else {
      explained(root);
    }
  }

  @Override
  public void explained(Throwable cause) {
    Throwable root = unwrapped(cause);
    if (outage.get()
        && !(root instanceof TimeoutException)
        && unexplained.compareAndSet(true, false)) {
      warn("The cause of the outage of the store: ", root);
    }
  }

  private static void warn(String what, Throwable cause) {
    LOG.log(Level.WARNING, what + cause);
    LOG.log(Level.DEBUG, "The store can't be reached", cause);
  }

  private static Throwable unwrapped(Throwable cause) {
    Throwable inner = cause instanceof CompletionException ? cause.getCause() : null;
    return inner == null ? cause : inner;
  }

  boolean isOutage() {
    return outage.get();
  }

  @Override
  public void answered() {
    if (outage.get() && ticker.nanoTime() - failedAt >= CALM && outage.compareAndSet(true, false)) {
      LOG.log(Level.INFO, "The store answers again.");
    }
  }
}
