package io.weir.writeback;

/**
 * Tells the events, and outlives whatever they throw.
 *
 * <p>Safe for concurrent use.
 *
 * @param events who is told
 */
record Reports(WriteBackEvents events) {
  void settled(int claims, long nanos) {
    guarded(() -> events.settled(claims, nanos));
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
