package io.weir.internal.guard;

import io.weir.internal.extension.SafeCalls;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;

/**
 * Asks one of the application's {@link RequestCondition}s; where it fails, its policies hold. Safe
 * for concurrent use.
 */
final class SafeCondition {
  private final RequestCondition condition;
  private final SafeCalls calls;

  SafeCondition(String name, RequestCondition condition) {
    this.condition = condition;
    this.calls =
        new SafeCalls(
            System.getLogger(SafeCondition.class.getName()),
            "the request condition " + name + " failed: its policies hold for such requests");
  }

  boolean test(RequestInfo request) {
    try {
      return condition.test(request);
    } catch (Throwable broken) {
      calls.failed(broken);
      return true;
    }
  }
}
