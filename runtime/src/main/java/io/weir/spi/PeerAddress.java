package io.weir.spi;

import java.util.Optional;

/**
 * Finds the address of the connection's peer: where the adapter can't, since JAX-RS itself has no
 * API for it, or where the application trusts another address than the server's, such as one that a
 * filter of its own has checked. Asked first on JAX-RS and servlets; what the server reports
 * applies if it returns none. If it throws, it counts as if it returned none, and the first failure
 * is logged.
 *
 * <p>Safe for concurrent use. Given to the builder, or found by {@link java.util.ServiceLoader}.
 */
@FunctionalInterface
public interface PeerAddress {
  /**
   * Reads the address.
   *
   * @param request the adapter's own request: a {@code ContainerRequestContext} for JAX-RS, the
   *     {@code HttpServletRequest} that the filter or handler gets for servlets and Spring MVC
   * @return the textual address; empty if it is unknown, and for other kinds of requests
   */
  Optional<String> of(Object request);
}
