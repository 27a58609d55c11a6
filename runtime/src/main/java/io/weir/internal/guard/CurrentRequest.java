package io.weir.internal.guard;

import io.weir.spi.RequestInfo;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Knows the request that the current thread works on, so that a woven method finds the caller and
 * isn't charged again after a filter.
 *
 * <p>Bound to the thread: an adapter binds it when a request enters the thread, and restores what
 * was bound before when the request leaves. A request that goes through several threads {@linkplain
 * #enter enters} and {@linkplain #leave leaves} each of them.
 */
public final class CurrentRequest {
  /**
   * Determines whether a thread still works on the request that is bound to it, for adapters that
   * aren't told when a method has returned. Asked in that thread.
   */
  public interface Confined {
    /**
     * Returns whether the current thread works on this request now.
     *
     * @return false while the thread works for another request or for none
     */
    boolean isServedHere();

    /**
     * Returns whether the current thread will not come back to this request, to drop its binding.
     *
     * @return false also while a request within it runs
     */
    boolean hasLeft();
  }

  /**
   * Each thread keeps its reference, since setting and removing a value for each request costs
   * more. It is a class of the JDK, which keeps no ended application in memory.
   */
  private static final ThreadLocal<AtomicReference<@Nullable CurrentRequest>> CURRENT =
      ThreadLocal.withInitial(AtomicReference::new);

  private final RequestInfo request;
  private final AtomicReference<@Nullable CurrentRequest> thread;
  private final @Nullable CurrentRequest outer;
  private Optional<Method> charged;

  /** The decisions of the request, unless it holds them itself. */
  private @Nullable GuardedRequest guarded;

  private CurrentRequest(
      RequestInfo request,
      Optional<Method> charged,
      AtomicReference<@Nullable CurrentRequest> thread,
      @Nullable CurrentRequest outer) {
    this.request = request;
    this.thread = thread;
    this.charged = charged;
    this.outer = outer;
  }

  /**
   * Binds a request to this thread, in place of any before it.
   *
   * @param request the request as the adapter sees it
   * @param charged the endpoint's method, if its policies were decided by the adapter
   * @return the former binding, to {@linkplain #restore be restored} afterwards
   */
  public static Optional<CurrentRequest> bind(RequestInfo request, Optional<Method> charged) {
    AtomicReference<@Nullable CurrentRequest> current = CURRENT.get();
    Optional<CurrentRequest> former = Optional.ofNullable(current.getPlain());
    current.setPlain(new CurrentRequest(request, charged, current, null));
    return former;
  }

  /**
   * Binds a request to this thread until it {@linkplain #leave leaves} it again, which it must.
   *
   * @param request what the adapter knows of it
   * @param charged the endpoint's method, if it is about to run and its policies were decided
   * @return the binding, which any thread may {@linkplain #expire() end}
   */
  public static CurrentRequest enter(RequestInfo request, Optional<Method> charged) {
    AtomicReference<@Nullable CurrentRequest> thread = CURRENT.get();
    CurrentRequest entered = new CurrentRequest(request, charged, thread, staying(thread));
    thread.setPlain(entered);
    return entered;
  }

  /** Returns the binding of a thread without those that the thread has left. */
  private static @Nullable CurrentRequest staying(
      AtomicReference<@Nullable CurrentRequest> thread) {
    CurrentRequest each = thread.getPlain();
    while (each != null && each.request instanceof Confined confined && confined.hasLeft()) {
      each = each.outer;
    }
    return each;
  }

  /** Returns the innermost binding of this thread whose request it works on now, or null. */
  private static @Nullable CurrentRequest current() {
    CurrentRequest each = CURRENT.get().getPlain();
    while (each != null && each.request instanceof Confined confined && !confined.isServedHere()) {
      each = each.outer;
    }
    return each;
  }

  /**
   * Ends this binding, from any thread, unless its own has bound another request since. For a
   * request that has ended, while its first thread may wait in a pool that outlives the
   * application.
   */
  public void expire() {
    boolean unused = thread.compareAndSet(this, outer);
  }

  /**
   * Unbinds a request from this thread, and binds the one that was bound when it {@linkplain #enter
   * entered}. Without effect if another one is bound.
   *
   * @param request the one that entered
   */
  public static void leave(RequestInfo request) {
    AtomicReference<@Nullable CurrentRequest> thread = CURRENT.get();
    CurrentRequest last = thread.getPlain();
    if (last == null) {
      return;
    }
    if (last.request == request) {
      thread.setPlain(last.outer);
    } else if (last.request instanceof Confined confined && confined.hasLeft()) {
      thread.setPlain(staying(thread));
      leave(request);
    }
  }

  /**
   * Records, in the thread where an endpoint will run, that its policies were decided.
   *
   * @param request the one that was decided; without effect if the thread belongs to another one
   * @param endpoint the endpoint's method
   */
  public static void charge(RequestInfo request, Method endpoint) {
    CurrentRequest current = current();
    if (current != null && current.request == request) {
      current.charged = Optional.of(endpoint);
    }
  }

  /**
   * Restores the former binding, with the rest of its charge.
   *
   * @param former what {@link #bind} returned in this thread; empty clears
   */
  public static void restore(Optional<CurrentRequest> former) {
    CURRENT.get().setPlain(former.orElse(null));
  }

  /** Forgets the request of this thread. */
  public static void clear() {
    CURRENT.get().setPlain(null);
  }

  /**
   * Returns the request of this thread.
   *
   * @return empty outside of a request
   */
  public static Optional<RequestInfo> get() {
    CurrentRequest current = current();
    return current == null ? Optional.empty() : Optional.of(current.request);
  }

  /**
   * Returns the request of this thread as the policies of an application decide it.
   *
   * @param services those of the application
   * @return empty outside of a request, and in one of another application
   */
  static Optional<GuardedRequest> guarded(RequestServices services) {
    CurrentRequest current = current();
    return current == null
        ? Optional.empty()
        : Optional.of(current.guardedIn(services)).filter(each -> each.isOf(services));
  }

  private GuardedRequest guardedIn(RequestServices services) {
    if (request instanceof GuardedRequest.Holder holder) {
      return holder.guarded();
    }
    GuardedRequest known = guarded;
    if (known == null) {
      known = new GuardedRequest(new EndpointGuard(services, List.of()), request);
      guarded = known;
    }
    return known;
  }

  /**
   * Returns whether a request is bound to this thread.
   *
   * @param request any
   * @return true if it was bound last, and nothing restored since
   */
  public static boolean is(RequestInfo request) {
    CurrentRequest current = current();
    return current != null && current.request == request;
  }

  /**
   * Consumes the charge that a filter made for the first invocation of the endpoint, if there is
   * one.
   *
   * @param method the method that is about to run
   * @return true once, for the method that the adapter decided or one that it overrides or that
   *     overrides it
   */
  public static boolean takeCharge(Method method) {
    CurrentRequest current = current();
    if (current == null || current.charged.filter(each -> areOne(each, method)).isEmpty()) {
      return false;
    }
    current.charged = Optional.empty();
    return true;
  }

  /** Compares methods, of which one may override the other. */
  private static boolean areOne(Method one, Method other) {
    Class<?> first = one.getDeclaringClass();
    Class<?> second = other.getDeclaringClass();
    return one.getName().equals(other.getName())
        && (first.isAssignableFrom(second) || second.isAssignableFrom(first))
        && Arrays.equals(one.getParameterTypes(), other.getParameterTypes());
  }
}
