package io.weir.internal.container;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Optional;

/**
 * Finds the peer of a request, and what becomes of their connection.
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

  /**
   * Returns whether the server would close the connection after a response of JAX-RS without saying
   * so, since the request has a body that nobody has read to its end. Drops what has arrived of it,
   * and waits for nothing.
   *
   * @return false for a server that reads the rest, or says so itself
   */
  default boolean closesUnannounced(ContainerRequestContext context) {
    return false;
  }
}
