package io.weir.guard;

import io.weir.key.RequestInfo;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;

/**
 * The request that the current thread works on, so that a woven method knows the caller and isn't
 * charged again for what a filter has charged.
 *
 * <p>Bound to the thread: an adapter binds when a request enters the thread, and restores what was
 * bound before when it leaves.
 */
public final class CurrentRequest {
  private static final ThreadLocal<CurrentRequest> CURRENT = new ThreadLocal<>();

  private final RequestInfo request;
  private Optional<Method> charged;

  private CurrentRequest(RequestInfo request, Optional<Method> charged) {
    this.request = request;
    this.charged = charged;
  }

  /**
   * Binds a request to this thread, in place of any before it.
   *
   * @param request what the adapter knows of it
   * @param charged the endpoint's method, if its policies were decided by the adapter
   * @return what was bound before, to {@linkplain #restore be put back} afterwards
   */
  public static Optional<CurrentRequest> bind(RequestInfo request, Optional<Method> charged) {
    Optional<CurrentRequest> former = Optional.ofNullable(CURRENT.get());
    CURRENT.set(new CurrentRequest(request, charged));
    return former;
  }

  /**
   * Puts back what was bound before, with what is left of its charge.
   *
   * @param former what {@link #bind} returned in this thread; nothing clears
   */
  public static void restore(Optional<CurrentRequest> former) {
    former.ifPresentOrElse(CURRENT::set, CURRENT::remove);
  }

  /** Forgets the request of this thread. */
  public static void clear() {
    CURRENT.remove();
  }

  /**
   * The request of this thread.
   *
   * @return nothing outside of a request
   */
  public static Optional<RequestInfo> get() {
    return Optional.ofNullable(CURRENT.get()).map(current -> current.request);
  }

  /**
   * Takes the charge for the endpoint's own first invocation, if a filter made it.
   *
   * @param method the method that is about to run
   * @return true once, for the method that the adapter decided or one that it overrides or that
   *     overrides it
   */
  public static boolean takeCharge(Method method) {
    CurrentRequest current = CURRENT.get();
    if (current == null || current.charged.filter(each -> areOne(each, method)).isEmpty()) {
      return false;
    }
    current.charged = Optional.empty();
    return true;
  }

  /** An endpoint may be known by the method that it overrides, or by one that overrides it. */
  private static boolean areOne(Method one, Method other) {
    Class<?> first = one.getDeclaringClass();
    Class<?> second = other.getDeclaringClass();
    return one.getName().equals(other.getName())
        && (first.isAssignableFrom(second) || second.isAssignableFrom(first))
        && Arrays.equals(one.getParameterTypes(), other.getParameterTypes());
  }
}
