package io.weir.internal.container;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Optional;

/**
 * A way to find the address of a request's peer. Not for use by others.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface PeerLookup {
  /**
   * Reads the address, in the thread that works on the request.
   *
   * @param context the request
   * @return nothing if another one is to be asked
   */
  Optional<String> of(ContainerRequestContext context);
}
