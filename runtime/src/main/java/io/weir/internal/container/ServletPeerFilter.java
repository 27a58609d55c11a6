package io.weir.internal.container;

import io.weir.internal.extension.ClassPresence;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Context;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notes the peer that the servlet container reports, if the application runs in one. For
 * implementations of JAX-RS other than Jersey, and for RESTEasy where it hides its classes; public
 * because some of them instantiate only public classes. Before matching, since policies by URL are
 * decided there for paths that filters have rewritten.
 *
 * <p>Safe for concurrent use.
 */
@PreMatching
public final class ServletPeerFilter implements ContainerRequestFilter {
  private static final String PROPERTY = "io.weir.jaxrs.peer";
  private static final boolean HAS_CXF = ClassPresence.isPresent(Cxf.MARKER);

  @Context private @Nullable HttpServletRequest request;

  /** {@code ResteasyContext.getContextData}, where RESTEasy runs the application. */
  private volatile @Nullable Method contextData;

  static Optional<Peer> notedPeer(ContainerRequestContext context) {
    return context.getProperty(PROPERTY) instanceof Peer peer
        ? Optional.of(peer)
        : Optional.empty();
  }

  @Override
  public void filter(ContainerRequestContext context) {
    if (request == null) {
      return;
    }
    try {
      ReceivedRequest.peer(actual(context, request))
          .ifPresent(peer -> context.setProperty(PROPERTY, peer));
    } catch (RuntimeException | LinkageError noServletRequest) {
      // The servlet API is on the class path, but no servlet container runs the application.
    }
  }

  /**
   * Finds the request behind what was injected: implementations inject a proxy, which hides that
   * filters have wrapped the request.
   */
  private HttpServletRequest actual(ContainerRequestContext context, HttpServletRequest injected) {
    String type = context.getClass().getName();
    @Nullable Object actual = null;
    if (HAS_CXF && type.startsWith("org.apache.cxf.")) {
      actual = Cxf.request().orElse(null);
    } else if (type.startsWith("org.jboss.resteasy.")) {
      actual = hidden(context.getClass().getClassLoader());
    }
    return actual instanceof HttpServletRequest http ? http : injected;
  }

  /** Asks RESTEasy, as Open Liberty contains it, whose classes applications can't see. */
  private @Nullable Object hidden(@Nullable ClassLoader resteasy) {
    try {
      Method known = contextData;
      if (known == null) {
        known =
            Class.forName("org.jboss.resteasy.core.ResteasyContext", true, resteasy)
                .getMethod("getContextData", Class.class);
        contextData = known;
      }
      return known.invoke(null, HttpServletRequest.class);
    } catch (ReflectiveOperationException | LinkageError otherVersion) {
      return null;
    }
  }
}
