package io.weir.compat;

import io.weir.internal.guard.CurrentRequest;
import io.weir.internal.guard.GuardedRequest;
import io.weir.spi.RequestInfo;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

/** Sees the request that a thread is bound to, as woven code does. */
public final class BoundRequest {
  private static final Object LAYER = BoundRequest.class;

  private BoundRequest() {}

  /**
   * Returns the request of this thread.
   *
   * @return empty outside of a request
   */
  public static Optional<RequestInfo> get() {
    return GuardedRequest.ofThread().map(GuardedRequest::info);
  }

  /**
   * Returns what identifies the request of this thread, however adapters see it.
   *
   * @return empty outside of a request
   */
  public static Optional<Object> identity() {
    return GuardedRequest.ofThread().map(each -> each);
  }

  /**
   * Takes the charge of the next execution of a method.
   *
   * @param method the method that is about to run
   * @return whether it is charged already in this thread
   */
  public static boolean takeCharge(Method method) {
    CurrentRequest current = CurrentRequest.current();
    return current != null && current.takeCharge(List.of(method), LAYER);
  }
}
