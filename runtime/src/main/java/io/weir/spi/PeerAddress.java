package io.weir.spi;

import java.util.Optional;

/**
 * Finds the address of the connection's peer if the adapter can't: JAX-RS itself has no API for it.
 * If it throws, the address is unknown, and the first failure is logged.
 *
 * <p>Safe for concurrent use. Given to the builder, or found by {@link java.util.ServiceLoader}.
 */
@FunctionalInterface
public interface PeerAddress {
  /**
   * Reads the address.
   *
   * @param request the adapter's own request: a {@code ContainerRequestContext} for JAX-RS
   * @return the textual address; empty if it is unknown
   */
  Optional<String> of(Object request);
}
