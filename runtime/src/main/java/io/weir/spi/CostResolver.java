package io.weir.spi;

import java.util.OptionalLong;

/**
 * Computes the cost of a request if no expression can: {@code costFrom = "tokens"} calls the
 * resolver that is registered under the name {@code tokens}.
 *
 * <p>Called once for each request, after authentication, in the thread of the request, which waits
 * for it; so it should return at once. If it throws, returns null or less than 0, the policy's
 * {@code cost} applies, and the first failure is logged.
 *
 * <p>Safe for concurrent use. Given to the builder under a name, or found by {@link
 * java.util.ServiceLoader} under its own {@link #name()}.
 */
@FunctionalInterface
public interface CostResolver {
  /**
   * Computes the cost.
   *
   * @param request the request; for a woven method every parameter can be read
   * @return permits, 0 (free) and more; empty if the request lacks what it should contain: it is
   *     then answered with 400 and not charged, as is one that costs more than the caller's burst
   */
  OptionalLong resolve(RequestInfo request);

  /**
   * Returns the name under which a resolver found by {@code ServiceLoader} is registered.
   *
   * @return the simple name of the class unless overridden
   */
  default String name() {
    return getClass().getSimpleName();
  }
}
