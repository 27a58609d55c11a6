package io.weir.compat.console;

import org.jspecify.annotations.Nullable;

/** Closes what a test has started. */
final class Closing {
  private Closing() {}

  /**
   * Closes parts in this order.
   *
   * @param parts those that couldn't be started are null
   */
  static void inOrder(@Nullable AutoCloseable... parts) {
    for (AutoCloseable each : parts) {
      close(each);
    }
  }

  private static void close(@Nullable AutoCloseable part) {
    try {
      if (part != null) {
        part.close();
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
