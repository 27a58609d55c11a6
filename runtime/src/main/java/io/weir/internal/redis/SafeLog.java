package io.weir.internal.redis;

/**
 * Tells people something, and goes on whatever the log throws: an answer of Redis must not be lost
 * because a disk is full.
 */
final class SafeLog {
  private SafeLog() {}

  /** Does what may log. */
  static void tell(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException | LinkageError dropped) {
      // There is nowhere left to say it.
    }
  }
}
