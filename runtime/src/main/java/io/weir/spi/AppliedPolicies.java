package io.weir.spi;

import java.util.List;

/**
 * The policies that a {@link PolicySource} applies to one request.
 *
 * <p>Immutable.
 */
public final class AppliedPolicies {
  private static final AppliedPolicies NONE = new AppliedPolicies(List.of(), true);

  private static final AppliedPolicies NONE_IN_ANY_PHASE = new AppliedPolicies(List.of(), true);

  private final List<AppliedPolicy> policies;
  private final boolean complete;

  private AppliedPolicies(List<AppliedPolicy> policies, boolean complete) {
    this.policies = List.copyOf(policies);
    this.complete = complete;
  }

  /**
   * Applies no policy in this phase.
   *
   * @return no policies
   */
  public static AppliedPolicies none() {
    return NONE;
  }

  /**
   * Applies no policy at the current endpoint, in this phase and the following ones. The source
   * isn't called again there if no other policy is bound to the endpoint either. This is the
   * cheapest answer.
   *
   * @return no policies
   */
  public static AppliedPolicies noneInAnyPhase() {
    return NONE_IN_ANY_PHASE;
  }

  /**
   * Applies some policies.
   *
   * @param policies no bucket twice
   * @return the policies
   */
  public static AppliedPolicies of(List<AppliedPolicy> policies) {
    return policies.isEmpty() ? NONE : new AppliedPolicies(policies, true);
  }

  /**
   * Applies some policies, though data about the caller couldn't be looked up in time: the decision
   * is {@linkplain io.weir.Decision#degraded() degraded}.
   *
   * @param policies no bucket twice
   * @return the policies
   */
  public static AppliedPolicies incomplete(List<AppliedPolicy> policies) {
    return new AppliedPolicies(policies, false);
  }

  /**
   * Returns the policies.
   *
   * @return no bucket twice
   */
  public List<AppliedPolicy> policies() {
    return policies;
  }

  /**
   * Returns whether the source had all data about the caller.
   *
   * @return false only for {@link #incomplete}
   */
  public boolean isComplete() {
    return complete;
  }
}
