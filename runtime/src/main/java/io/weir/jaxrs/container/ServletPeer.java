package io.weir.jaxrs.container;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Context;
import org.jspecify.annotations.Nullable;

/**
 * Reads the peer's address from the servlet container, if the application runs in one. Not for use
 * by others: public because some implementations of JAX-RS instantiate nothing else.
 *
 * <p>Safe for concurrent use.
 */
public final class ServletPeer implements ContainerRequestFilter {
  @Context private @Nullable HttpServletRequest request;

  /** For the implementation of JAX-RS. */
  public ServletPeer() {}

  @Override
  public void filter(ContainerRequestContext context) {
    if (request == null || context.getProperty(Containers.PEER) != null) {
      return;
    }
    try {
      context.setProperty(Containers.PEER, request.getRemoteAddr());
    } catch (RuntimeException noServletRequest) {
      // The API is there, but no servlet container: what was injected stands for no request.
    }
  }
}
