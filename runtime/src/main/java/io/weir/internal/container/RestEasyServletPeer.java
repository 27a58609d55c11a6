package io.weir.internal.container;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.jboss.resteasy.core.ResteasyContext;

/**
 * Reads the peer of the request that RESTEasy serves in a servlet container. Loaded only if the
 * servlet API is on the class path.
 */
final class RestEasyServletPeer {
  private RestEasyServletPeer() {}

  /** Finds the peer; empty outside of a servlet container. */
  static Optional<Peer> find() {
    return Optional.ofNullable(ResteasyContext.getContextData(HttpServletRequest.class))
        .flatMap(ReceivedRequest::peer);
  }
}
