package io.weir.internal.extension;

import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;

/**
 * Asks one of the application's {@link RequestCondition}s; if it fails, its policies hold. Safe for
 * concurrent use.
 */
public final class SafeCondition {
  private final RequestCondition condition;
  private final SafeCalls calls;

  /**
   * Wraps a condition.
   *
   * @param name its name
   * @param condition the application's
   */
  public SafeCondition(String name, RequestCondition condition) {
    this.condition = condition;
    this.calls =
        new SafeCalls(
            System.getLogger(SafeCondition.class.getName()),
            "the request condition " + name + " failed: its policies apply to such requests");
  }

  /**
   * Asks the condition.
   *
   * @param request the request
   * @return true if its policies hold for the request, or if it fails
   */
  public boolean test(RequestInfo request) {
    try {
      return condition.test(request);
    } catch (Throwable broken) {
      calls.failed(broken);
      return true;
    }
  }
}
