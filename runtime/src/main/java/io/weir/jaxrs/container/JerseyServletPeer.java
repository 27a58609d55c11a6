package io.weir.jaxrs.container;

import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import org.glassfish.jersey.internal.util.collection.Ref;
import org.jspecify.annotations.Nullable;

/**
 * Reads the peer's address from the servlet container, if Jersey runs in one: what {@link
 * ServletPeer} does for every implementation of JAX-RS, but without its proxy of the request, whose
 * making costs Jersey more than all the rest of a decision. Not for use by others: public like
 * {@link ServletPeer}.
 *
 * <p>Safe for concurrent use.
 */
public final class JerseyServletPeer implements ContainerRequestFilter {
  private final Provider<Ref<HttpServletRequest>> requests;

  /**
   * For Jersey.
   *
   * @param requests gives what refers to the request of the thread
   */
  @Inject
  public JerseyServletPeer(Provider<Ref<HttpServletRequest>> requests) {
    this.requests = requests;
  }

  @Override
  public void filter(ContainerRequestContext context) {
    try {
      @Nullable Ref<HttpServletRequest> reference = requests.get();
      @Nullable HttpServletRequest request = reference == null ? null : reference.get();
      if (request != null) {
        context.setProperty(Containers.PEER, request.getRemoteAddr());
      }
    } catch (RuntimeException another) {
      // Jersey's servlet is on the class path, but another container runs the application.
    }
  }
}
