package io.weir.internal.container;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Optional;

/**
 * Finds the address of a request's peer.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface PeerLookup {
  /**
   * Reads the address; called in the thread that serves the request.
   *
   * @param context the request
   * @return the address; empty if this lookup can't find it
   */
  Optional<String> of(ContainerRequestContext context);
}
