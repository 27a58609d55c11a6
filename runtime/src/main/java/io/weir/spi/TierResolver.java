package io.weir.spi;

import io.weir.Policy;

/**
 * Says which tier a caller has.
 *
 * <p>Answers at once: it is called in the thread of the request, which may be an event loop. What
 * it throws is logged once, and the caller then counts as one without a tier.
 *
 * <p>Safe for concurrent use. Given to {@link io.weir.WeirBuilder#tierResolver} or found by {@link
 * java.util.ServiceLoader}.
 */
@FunctionalInterface
public interface TierResolver {
  /**
   * The caller's tier under one policy; goes before {@link #tier(RequestInfo)}.
   *
   * @param request the request
   * @param policy the policy about to decide, whose {@link Policy#tiers()} are known
   * @return a tier by name, a limit of the caller's own; or none, and then {@link
   *     #tier(RequestInfo)} holds
   */
  CallerTier resolve(RequestInfo request, Policy policy);

  /**
   * The caller's tier, whatever the policy. Called once in each phase of a request that any policy
   * decides, or for which a {@link PolicySource} is asked, which is told this tier.
   *
   * @param request the request; in the phase before authentication it has no user yet
   * @return a tier by name, a limit of the caller's own, or none; none unless overridden
   */
  default CallerTier tier(RequestInfo request) {
    return CallerTier.none();
  }
}
