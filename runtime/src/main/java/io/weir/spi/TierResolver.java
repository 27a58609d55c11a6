package io.weir.spi;

import io.weir.Policy;

/**
 * Says which tier a caller has.
 *
 * <p>Safe for concurrent use. Given to the builder, or found by {@link java.util.ServiceLoader}.
 */
@FunctionalInterface
public interface TierResolver {
  /**
   * Decides the caller's tier under one policy.
   *
   * @param request the request
   * @param policy the policy about to decide, whose {@link Policy#tiers()} are known
   * @return a tier by name, a limit of the caller's own, or none
   */
  CallerTier resolve(RequestInfo request, Policy policy);
}
