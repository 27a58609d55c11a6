package io.weir.spi;

import java.util.Optional;

/**
 * Reads the key of a request if no expression can: {@code key = "tenant"} calls the resolver that
 * is registered under the name {@code tenant}.
 *
 * <p>Called in the thread of the request, so it should return at once. If it throws, the request
 * counts by address, and the first failure is logged; an {@link io.weir.InvalidRequestException},
 * also one that reading the request has thrown, is answered with 400.
 *
 * <p>Safe for concurrent use. Given to the builder under a name, or found by {@link
 * java.util.ServiceLoader} under its own {@link #name()}.
 */
@FunctionalInterface
public interface KeyResolver {
  /**
   * Reads the key.
   *
   * @param request the request
   * @return the text to count by; if empty or blank, the request counts by address
   */
  Optional<String> resolve(RequestInfo request);

  /**
   * Returns the name under which a resolver found by {@code ServiceLoader} is registered.
   *
   * @return the simple name of the class unless overridden
   */
  default String name() {
    return getClass().getSimpleName();
  }
}
