package io.weir.spi;

import io.weir.Policy;

/**
 * Determines the tier of a caller.
 *
 * <p>Called in the thread of the request, so it should return at once; where that is an event loop,
 * in another thread, which may block. The loop itself calls it only on RESTEasy's own servers for
 * Netty and Vert.x, and for a limited method that returns neither a stage nor a publisher. If it
 * throws, the caller has no tier, and the first failure is logged.
 *
 * <p>Safe for concurrent use. Given to {@link io.weir.WeirBuilder#tierResolver} or found by {@link
 * java.util.ServiceLoader}.
 */
@FunctionalInterface
public interface TierResolver {
  /**
   * Determines the caller's tier under one policy; overrides {@link #tier(RequestInfo)}.
   *
   * @param request the request
   * @param policy the policy that is about to decide, which lists its {@link Policy#tiers()}
   * @return a tier by name, or a limit of the caller's own; if none, {@link #tier(RequestInfo)}
   *     applies
   */
  CallerTier resolve(RequestInfo request, Policy policy);

  /**
   * Determines the caller's tier under all policies. Called once in each phase of a request that
   * any policy decides, or for which a {@link PolicySource} is called, which gets this tier.
   *
   * @param request the request; in the phase before authentication it has no user yet
   * @return a tier by name, a limit of the caller's own, or none; none unless overridden
   */
  default CallerTier tier(RequestInfo request) {
    return CallerTier.none();
  }
}
