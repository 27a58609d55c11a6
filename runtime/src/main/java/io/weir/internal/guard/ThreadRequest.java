package io.weir.internal.guard;

import io.weir.spi.RequestInfo;
import java.lang.reflect.Method;
import java.util.Optional;

/** TRANSITION: what both adapters use until they keep their bindings. */
public final class ThreadRequest {
  private ThreadRequest() {}

  public static Optional<RequestInfo> get() {
    return GuardedRequest.ofThread().map(GuardedRequest::info);
  }

  public static Optional<CurrentRequest> bind(RequestInfo info, Optional<Method> charged) {
    Optional<CurrentRequest> former = Optional.ofNullable(CurrentRequest.current());
    guarded(info).bind(charged.orElse(null));
    return former;
  }

  public static void restore(Optional<CurrentRequest> former) {
    CurrentRequest now = CurrentRequest.current();
    while (now != null && now != former.orElse(null)) {
      now.close();
      now = CurrentRequest.current();
    }
  }

  public static void enter(RequestInfo info, Optional<Method> charged) {
    guarded(info).bind(charged.orElse(null));
  }

  public static void leave(RequestInfo info) {
    CurrentRequest last = CurrentRequest.current();
    if (last != null && last.request() == guarded(info)) {
      last.close();
    }
  }

  public static void charge(RequestInfo info, Method method) {
    CurrentRequest last = CurrentRequest.current();
    if (last != null && last.request() == guarded(info)) {
      last.charged(method);
    }
  }

  public static void clear() {
    restore(Optional.empty());
  }

  public static boolean is(RequestInfo info) {
    return guarded(info).isBound();
  }

  private static GuardedRequest guarded(RequestInfo info) {
    return ((GuardedRequest.Holder) info).guarded();
  }
}
