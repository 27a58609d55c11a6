package io.weir.adapter;

import io.weir.spi.DecisionPhase;

/**
 * The policies that annotations and settings bind to one handler of requests. Adapters find the
 * same object for all handlers with the same policies.
 *
 * <p>Safe for concurrent use; follows the settings. Not for implementation by others.
 */
public interface LimitedEndpoint {
  /**
   * Returns whether every request is admitted, so that an adapter has nothing to do.
   *
   * @return true if no policy is bound here, no policy source may add any, and there is no access
   *     list
   */
  boolean isEmpty();

  /**
   * Returns whether a phase has anything to decide. What a phase decides follows the settings, so
   * an adapter that calls {@link LimitedRequest#decide} in one phase only asks this for each
   * request, not once at the start.
   *
   * @param phase before or after authentication
   * @return true if a policy belongs to it, a policy source may add one, or there is an access list
   */
  boolean decides(DecisionPhase phase);

  /**
   * Returns whether a phase decides a policy that is bound here, whatever a policy source may add.
   *
   * @param phase before or after authentication
   * @return true if there is one, or if the phase before may leave one to this phase
   */
  boolean isBound(DecisionPhase phase);

  /**
   * Returns whether a policy that is bound here may need the caller's address: callers without a
   * user or key are counted by it too.
   *
   * @return false if all callers share one bucket
   */
  boolean needsAddress();

  /**
   * Returns an endpoint with the policies of this one and another; shared policies count once.
   * Makes an object at each call, unless one of them has no policies.
   *
   * @param other another endpoint of the same application
   * @return all policies
   * @throws IllegalArgumentException if the other belongs to another Weir
   */
  LimitedEndpoint and(LimitedEndpoint other);
}
