package io.weir.internal.container;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Optional;

/**
 * Finds the peer of a request.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface PeerLookup {
  /**
   * Finds the peer, in the thread that serves the request; empty if this lookup doesn't know its
   * address.
   */
  Optional<Peer> of(ContainerRequestContext context);
}
