package io.weir.internal.rules.callers;

import io.weir.Ticker;
import java.time.Duration;

/**
 * Decides whether requests wait for look-ups: after three that failed or took too long none does,
 * until one has succeeded in time.
 *
 * <p>Guarded by the lock of {@link LookUpQueue}.
 */
final class LookUpPatience {
  private static final int MAX_FAILURES = 3;

  private final Duration timeout;
  private final Ticker ticker;
  private int failures;
  private long lastFailure;

  LookUpPatience(Duration timeout, Ticker ticker) {
    this.timeout = timeout;
    this.ticker = ticker;
  }

  Duration timeout() {
    return timeout;
  }

  boolean isExhausted() {
    return failures >= MAX_FAILURES;
  }

  /** Counts a failure, but only one for all requests that waited at the same time. */
  void countFailure(long began) {
    if (failures == 0 || began - lastFailure >= 0) {
      lastFailure = ticker.nanoTime();
      failures = Math.min(MAX_FAILURES, failures + 1);
    }
  }

  /**
   * Counts a success, unless requests would have waited for it in vain.
   *
   * @return whether it was in time
   */
  boolean countSuccess(long began) {
    boolean isInTime = ticker.nanoTime() - began <= timeout.toNanos();
    if (isInTime) {
      failures = 0;
    }
    return isInTime;
  }
}
