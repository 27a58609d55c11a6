package io.weir.jaxrs;

import io.weir.adapter.LimitedRequest.Binding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Does before matching what Jersey's events do elsewhere: ends the start-up with the first request,
 * so that its sub-resource can't fail by settings, and unbinds an earlier request from the thread,
 * where the implementation doesn't report that the thread has left it.
 *
 * <p>Safe for concurrent use.
 */
@PreMatching
final class ArrivalFilter implements ContainerRequestFilter {
  /** Weak, so that a pooled thread keeps no ended application in memory. */
  private static final ThreadLocal<@Nullable WeakReference<Binding>> LAST = new ThreadLocal<>();

  private final JaxrsApplication application;

  ArrivalFilter(JaxrsApplication application) {
    this.application = application;
  }

  /** Notes what is bound to this thread until the next request arrives. */
  static void note(Binding bound) {
    LAST.set(new WeakReference<>(bound));
  }

  @Override
  public void filter(ContainerRequestContext context) {
    application.started();
    WeakReference<Binding> last = LAST.get();
    Binding bound = last == null ? null : last.get();
    if (bound != null) {
      bound.close();
      LAST.remove();
    }
  }
}
