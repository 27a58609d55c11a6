package io.weir.internal.extension;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects the failures of the application's parts in one thread, to report them instead of logging
 * them. Confine to one thread.
 */
public final class CallFailures {
  private static final ThreadLocal<@Nullable CallFailures> COLLECTING = new ThreadLocal<>();

  private List<String> failures = new ArrayList<>();

  public <T> T collect(Supplier<T> call) {
    CallFailures before = COLLECTING.get();
    COLLECTING.set(this);
    try {
      return call.get();
    } finally {
      if (before == null) {
        COLLECTING.remove();
      } else {
        COLLECTING.set(before);
      }
    }
  }

  /**
   * Removes and returns the failures since the last call.
   *
   * @return what failed, and what it threw
   */
  public List<String> take() {
    List<String> before = failures;
    failures = new ArrayList<>();
    return before;
  }

  /** Returns whether a failure is collected, and so needs no line in the log. */
  static boolean isCollected(String warning, Throwable broken) {
    CallFailures collecting = COLLECTING.get();
    if (collecting == null) {
      return false;
    }
    collecting.failures.add(warning + " (" + broken + ")");
    return true;
  }
}
