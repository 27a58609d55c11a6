package io.weir.internal.guard;

import io.weir.adapter.LimitedRequest;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Binds a request, or a limited call outside of one, to a thread, so that limited calls find the
 * caller and aren't charged twice.
 *
 * <p>A binding that was closed is skipped, whichever thread has closed it, and nothing of it stays
 * in memory: a pooled thread from which a request has gone on doesn't keep its caller.
 *
 * <p>Confine to its thread, but for {@link #close()}.
 */
public final class CurrentRequest extends Charge implements LimitedRequest.Binding {
  /**
   * Each thread keeps its reference, since setting and removing a value for each request costs
   * more. It is a class of the JDK, which keeps no ended application in memory.
   */
  private static final ThreadLocal<AtomicReference<@Nullable CurrentRequest>> CURRENT =
      ThreadLocal.withInitial(AtomicReference::new);

  private final @Nullable LimitedRequest request;

  /** The binding before this one that is still open; shortened when the next one is bound. */
  private volatile @Nullable CurrentRequest outer;

  /** The reference of the thread to which this is bound. */
  private final AtomicReference<@Nullable CurrentRequest> thread;

  private volatile boolean closed;

  private CurrentRequest(
      @Nullable LimitedRequest request,
      @Nullable Method charged,
      AtomicReference<@Nullable CurrentRequest> thread) {
    super(charged);
    this.request = request;
    this.thread = thread;
    CurrentRequest before = open(thread.getPlain());
    if (before != null) { // a volatile write, which most requests don't need
      this.outer = before;
    }
  }

  static CurrentRequest bind(LimitedRequest request, @Nullable Method charged) {
    return push(request, charged);
  }

  /** Binds no request to this thread, in place of any before it. */
  static CurrentRequest bindNone() {
    return push(null, null);
  }

  /**
   * Binds a call that a layer has charged to this thread, so that no other layer charges it again.
   *
   * @return to be closed when the method has returned
   */
  public static CurrentRequest bindCall(
      @Nullable LimitedRequest around, Method method, Object layer) {
    CurrentRequest bound = push(around, method);
    bound.takenBy(layer);
    return bound;
  }

  private static CurrentRequest push(@Nullable LimitedRequest request, @Nullable Method charged) {
    AtomicReference<@Nullable CurrentRequest> current = CURRENT.get();
    CurrentRequest before = open(current.getPlain());
    if (before != null) { // else an open one would keep all that were closed below it
      before.outer = open(before.outer);
    }
    CurrentRequest bound = new CurrentRequest(request, charged, current);
    current.setPlain(bound);
    return bound;
  }

  private static @Nullable CurrentRequest open(@Nullable CurrentRequest from) {
    CurrentRequest open = from;
    while (open != null && open.closed) {
      open = open.outer;
    }
    return open;
  }

  /** Returns what this thread is bound to; null if nothing is. */
  public static @Nullable CurrentRequest current() {
    AtomicReference<@Nullable CurrentRequest> current = CURRENT.get();
    CurrentRequest last = current.getPlain();
    if (last != null && last.closed) {
      last = open(last.outer);
      current.setPlain(last);
    }
    return last;
  }

  /** Returns null for a call outside of a request. */
  public @Nullable LimitedRequest request() {
    return request;
  }

  static boolean isBound(LimitedRequest request) {
    CurrentRequest current = current();
    return current != null && current.request == request;
  }

  /**
   * Consumes the charge that was made for the first execution of a method, if there is one: in this
   * binding, or in one around it for the same request.
   *
   * @param method the declarations of the method that is about to run: the one that runs, then
   *     those that it overrides or implements
   * @param layer the layer that sees the execution; it may be one of several
   * @return true once for each layer, for the method that was charged or one that it overrides or
   *     that overrides it
   */
  public boolean takeCharge(List<Method> method, Object layer) {
    CurrentRequest binding = this;
    while (binding != null && binding.request == request) {
      if (binding.isOf(method)) {
        return binding.take(layer);
      }
      binding = open(binding.outer);
    }
    return false;
  }

  @Override
  public void charged(Method method) {
    note(method);
  }

  @Override
  public void close() {
    closed = true;
    if (thread != CURRENT.get()) {
      thread.compareAndSet(this, open(outer)); // unless its own thread binds something meanwhile
    } else if (thread.getPlain() == this) {
      thread.setPlain(open(outer));
    }
  }
}
