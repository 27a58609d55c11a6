package io.weir.internal.redis;

/**
 * Logs, and ignores what the log throws: an answer of Redis must not be lost because a disk is
 * full.
 */
final class NonThrowingLog {
  private NonThrowingLog() {}

  /** Runs something that may log. */
  static void run(Runnable logging) {
    try {
      logging.run();
    } catch (RuntimeException | LinkageError dropped) {
      // There is nowhere else to log it.
    }
  }
}
