package io.weir.internal.container;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Context;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notes the peer's address that the servlet container reports, if the application runs in one. For
 * implementations of JAX-RS other than Jersey; public because some of them instantiate only public
 * classes.
 *
 * <p>Safe for concurrent use.
 */
public final class ServletPeerFilter implements ContainerRequestFilter {
  private static final String PROPERTY = "io.weir.jaxrs.peer";

  @Context private @Nullable HttpServletRequest request;

  /** Called by the implementation of JAX-RS. */
  public ServletPeerFilter() {}

  static Optional<String> notedPeer(ContainerRequestContext context) {
    return Optional.ofNullable((String) context.getProperty(PROPERTY));
  }

  @Override
  public void filter(ContainerRequestContext context) {
    if (request == null) {
      return;
    }
    try {
      context.setProperty(PROPERTY, request.getRemoteAddr());
    } catch (RuntimeException | LinkageError noServletRequest) {
      // The servlet API is on the class path, but no servlet container runs the application.
    }
  }
}
