package io.weir.jaxrs;

import io.weir.adapter.LimitedRequest.Binding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Unbinds an earlier request from the thread, for implementations that don't show whether the
 * thread still works on it, as after an asynchronous method has returned.
 *
 * <p>Safe for concurrent use.
 */
@PreMatching
final class ThreadCleanupFilter implements ContainerRequestFilter {
  /** Weak, so that a pooled thread keeps no ended application in memory. */
  private static final ThreadLocal<@Nullable WeakReference<Binding>> LAST = new ThreadLocal<>();

  /** Notes what is bound to this thread. */
  static void note(Binding bound) {
    LAST.set(new WeakReference<>(bound));
  }

  @Override
  public void filter(ContainerRequestContext context) {
    WeakReference<Binding> last = LAST.get();
    Binding bound = last == null ? null : last.get();
    if (bound != null) {
      bound.close();
      LAST.remove();
    }
  }
}
