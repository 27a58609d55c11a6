package io.weir.spring.webflux;

import io.micrometer.context.ThreadLocalAccessor;
import io.weir.adapter.LimitedRequest;
import io.weir.spring.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * Binds the request of a reactive chain to each thread in which an operator runs, where the
 * application lets Reactor propagate contexts to threads ({@code
 * spring.reactor.context-propagation=auto}). Found as a service.
 *
 * <p>Safe for concurrent use.
 */
public final class BoundRequestAccessor implements ThreadLocalAccessor<RequestContext> {
  private static final ThreadLocal<@Nullable Bound> CURRENT = new ThreadLocal<>();

  /**
   * A request bound to a thread, or hidden from it.
   *
   * @param context null where a scope has nothing to bind
   * @param binding that of the request, or the one that hides it; null if it was hidden before
   * @param outer bound again when this ends
   */
  private record Bound(
      @Nullable RequestContext context,
      LimitedRequest.@Nullable Binding binding,
      @Nullable Bound outer) {}

  @Override
  public Object key() {
    return RequestContext.KEY;
  }

  @Override
  public @Nullable RequestContext getValue() {
    Bound current = CURRENT.get();
    return current == null ? null : current.context;
  }

  @Override
  public void setValue(RequestContext value) {
    CURRENT.set(new Bound(value, value.bind(), CURRENT.get()));
  }

  @Override
  public void setValue() {
    Bound outer = CURRENT.get();
    if (outer != null) { // else there is nothing to hide, and nothing will be restored
      RequestContext hidden = outer.context;
      CURRENT.set(new Bound(null, hidden == null ? null : hidden.hide(), outer));
    }
  }

  @Override
  public void restore(RequestContext previous) {
    restore();
  }

  @Override
  public void restore() {
    Bound current = CURRENT.get();
    if (current == null) {
      return;
    }
    if (current.binding != null) {
      current.binding.close();
    }
    if (current.outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(current.outer);
    }
  }
}
