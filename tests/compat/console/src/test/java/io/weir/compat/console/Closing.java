package io.weir.compat.console;

import org.jspecify.annotations.Nullable;

/** Closes what a test has started. */
final class Closing {
  private Closing() {}

  /**
   * Closes parts in this order, all of them; fails afterwards if one can't be closed.
   *
   * @param parts those that couldn't be started are null
   */
  static void inOrder(@Nullable AutoCloseable... parts) {
    @Nullable Throwable first = null;
    for (AutoCloseable each : parts) {
      try {
        if (each != null) {
          each.close();
        }
      } catch (Exception | AssertionError failed) {
        first = first == null ? failed : first;
      }
    }
    if (first != null) {
      throw first instanceof AssertionError wrong ? wrong : new AssertionError(first);
    }
  }
}
