package io.weir.internal.writeback;

import io.weir.internal.permits.StoreListener;

/**
 * Tells the events, and outlives whatever they throw.
 *
 * <p>Safe for concurrent use.
 *
 * @param events who is told
 */
record SafeStoreListener(StoreListener events) {
  void storeExecuted(int claims, long nanos) {
    guarded(() -> events.storeExecuted(claims, nanos));
  }

  void failed(Throwable cause) {
    guarded(() -> events.failed(cause));
  }

  void explained(Throwable cause) {
    guarded(() -> events.explained(cause));
  }

  void answered() {
    guarded(events::answered);
  }

  private static void guarded(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException | LinkageError dropped) {
      // Who listens is no reason to lose an answer.
    }
  }
}
