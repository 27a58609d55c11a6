package io.weir.internal.container;

import jakarta.ws.rs.core.GenericType;
import java.util.Optional;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.internal.util.collection.Ref;

/**
 * Reads the peer's address from Grizzly, if Jersey runs on it without servlets.
 *
 * <p>Safe for concurrent use.
 */
final class GrizzlyPeerLookup extends JerseyPeerLookup<Request> {
  GrizzlyPeerLookup(InjectionManager injection) {
    super(injection, new GenericType<Ref<Request>>() {});
  }

  @Override
  Optional<Peer> peer(Request request) {
    return Peer.ofNullable(request.getRemoteAddr());
  }
}
