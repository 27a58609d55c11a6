package io.weir.internal.container;

import jakarta.ws.rs.core.GenericType;
import java.util.Optional;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.internal.util.collection.Ref;

/**
 * Reads the peer's address from Jetty, if Jersey runs on it without servlets.
 *
 * <p>Safe for concurrent use.
 */
final class JettyPeerLookup extends JerseyPeerLookup<Request> {
  JettyPeerLookup(InjectionManager injection) {
    super(injection, new GenericType<Ref<Request>>() {});
  }

  @Override
  Optional<Peer> peer(Request request) {
    return Peer.ofNullable(Request.getRemoteAddr(request));
  }

  @Override
  boolean leavesBody(Request request) {
    return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1
        && !request.consumeAvailable();
  }
}
