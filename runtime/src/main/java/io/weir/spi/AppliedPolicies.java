package io.weir.spi;

import java.util.List;

/**
 * What a {@link PolicySource} applies to one request.
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
   * The source has nothing to say in this phase.
   *
   * @return always the same
   */
  public static AppliedPolicies none() {
    return NONE;
  }

  /**
   * The source has nothing to say of this request where it is now, in this phase and in those that
   * follow: if no other policy is bound to its endpoint either, it isn't asked again.
   *
   * @return always the same, which costs a request the least
   */
  public static AppliedPolicies noneInAnyPhase() {
    return NONE_IN_ANY_PHASE;
  }

  /**
   * Some policies.
   *
   * @param policies no bucket twice
   * @return all that the source has to say
   */
  public static AppliedPolicies of(List<AppliedPolicy> policies) {
    return policies.isEmpty() ? NONE : new AppliedPolicies(policies, true);
  }

  /**
   * Some policies, by what is known without the caller, who couldn't be looked up in time: the
   * decision is {@linkplain io.weir.Decision#degraded() degraded}.
   *
   * @param policies no bucket twice
   * @return what the source can say
   */
  public static AppliedPolicies incomplete(List<AppliedPolicy> policies) {
    return new AppliedPolicies(policies, false);
  }

  /**
   * The policies.
   *
   * @return no bucket twice
   */
  public List<AppliedPolicy> policies() {
    return policies;
  }

  /**
   * Whether the source knew all that it needed.
   *
   * @return false only of {@link #incomplete}
   */
  public boolean isComplete() {
    return complete;
  }
}
