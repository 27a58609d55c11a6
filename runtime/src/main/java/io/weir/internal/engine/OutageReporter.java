package io.weir.internal.engine;

import io.weir.internal.permits.StoreListener;

/**
 * Tells log and metrics how the shared store does.
 *
 * <p>Safe for concurrent use.
 *
 * @param outage the log
 * @param meters the metrics
 */
record OutageReporter(OutageLog outage, SafeMetrics meters) implements StoreListener {
  @Override
  public void storeExecuted(int claims, long nanos) {
    meters.storeExecuted(claims, nanos);
  }

  @Override
  public void failed(Throwable cause) {
    outage.failed(cause);
    meters.storeFailed();
  }

  @Override
  public void explained(Throwable cause) {
    outage.explained(cause);
  }

  @Override
  public void answered() {
    outage.answered();
  }
}
