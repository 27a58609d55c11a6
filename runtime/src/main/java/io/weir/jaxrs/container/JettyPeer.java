package io.weir.jaxrs.container;

import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Reads the peer's address from Jetty, if Jersey runs on it without servlets. Not for use by
 * others: public like {@link ServletPeer}.
 *
 * <p>Safe for concurrent use.
 */
public final class JettyPeer implements ContainerRequestFilter {
  private final Provider<Request> requests;

  /**
   * For Jersey.
   *
   * @param requests gives the request of the thread
   */
  @Inject
  public JettyPeer(Provider<Request> requests) {
    this.requests = requests;
  }

  @Override
  public void filter(ContainerRequestContext context) {
    if (context.getProperty(Containers.PEER) != null) {
      return;
    }
    try {
      @Nullable Request request = requests.get();
      if (request != null) {
        context.setProperty(Containers.PEER, Request.getRemoteAddr(request));
      }
    } catch (RuntimeException another) {
      // Jetty is on the class path, but another container runs the application.
    }
  }
}
