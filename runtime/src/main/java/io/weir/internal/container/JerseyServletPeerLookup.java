package io.weir.internal.container;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.core.GenericType;
import java.util.Optional;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.internal.util.collection.Ref;

/**
 * Reads the peer's address from the servlet container, if Jersey runs in one.
 *
 * <p>Safe for concurrent use.
 */
final class JerseyServletPeerLookup extends JerseyPeerLookup<HttpServletRequest> {
  JerseyServletPeerLookup(InjectionManager injection) {
    super(injection, new GenericType<Ref<HttpServletRequest>>() {});
  }

  @Override
  Optional<Peer> peer(HttpServletRequest request) {
    return ReceivedRequest.peer(request);
  }

  @Override
  boolean leavesBody(HttpServletRequest request) {
    return JettyServletBody.isUnderWay(request);
  }
}
