package io.weir.internal.container;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Context;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the peer's address from the servlet container, if the application runs in one, for
 * implementations of JAX-RS that can't be asked for it. Not for use by others: public because some
 * of them instantiate nothing else.
 *
 * <p>Safe for concurrent use.
 */
public final class ServletPeerFilter implements ContainerRequestFilter {
  private static final String NOTED = "io.weir.jaxrs.peer";

  @Context private @Nullable HttpServletRequest request;

  /** For the implementation of JAX-RS. */
  public ServletPeerFilter() {}

  static Optional<String> noted(ContainerRequestContext context) {
    return Optional.ofNullable((String) context.getProperty(NOTED));
  }

  @Override
  public void filter(ContainerRequestContext context) {
    if (request == null) {
      return;
    }
    try {
      context.setProperty(NOTED, request.getRemoteAddr());
    } catch (RuntimeException | LinkageError noServletRequest) {
      // The API is there, but no servlet container: what was injected stands for no request.
    }
  }
}
