package io.weir.engine;

import io.weir.writeback.WriteBackEvents;

/**
 * Tells log and metrics how the shared store does.
 *
 * <p>Safe for concurrent use.
 *
 * @param outage the log
 * @param meters the metrics
 */
record StoreEvents(Outage outage, Meters meters) implements WriteBackEvents {
  @Override
  public void settled(int claims, long nanos) {
    meters.settled(claims, nanos);
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
