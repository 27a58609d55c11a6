package io.weir.internal.rules.rulebook;

import io.weir.Policy;

/**
 * A rule as it applies to one caller at one endpoint: with the rule's own limit, or an own limit of
 * the caller.
 *
 * <p>Immutable.
 */
public final class AppliedRule {
  private final CompiledRule rule;
  private final long limit;
  private final long cost;
  private final boolean own;

  AppliedRule(CompiledRule rule, long limit, long cost, boolean own) {
    this.rule = rule;
    this.limit = limit;
    this.cost = cost;
    this.own = own;
  }

  static AppliedRule of(CompiledRule rule) {
    return new AppliedRule(rule, rule.rule().limit(), rule.rule().cost(), false);
  }

  AppliedRule withOwnLimit(long callerLimit) {
    return new AppliedRule(rule, callerLimit, cost, true);
  }

  /** One bucket under two rules: the lower limit decides, the larger cost is taken. */
  AppliedRule together(AppliedRule other) {
    if (rule.isShadow() != other.rule.isShadow()) {
      return rule.isShadow() ? other : this;
    }
    AppliedRule lower = other.limit < limit ? other : this;
    return new AppliedRule(lower.rule, lower.limit, Math.max(cost, other.cost), lower.own);
  }

  /** Returns the rule whose policy decides. */
  public CompiledRule rule() {
    return rule;
  }

  /** Returns the caller's permits per window, 1 to 1,000,000,000. */
  public long limit() {
    return limit;
  }

  /** Returns whether the limit is the caller's own. */
  public boolean isOwn() {
    return own;
  }

  /**
   * Returns the policy that decides.
   *
   * @param inShadow whether it is only to measure, whatever the rule's state
   * @return the same object each time for a rule
   */
  public Policy policy(boolean inShadow) {
    return rule.policy(inShadow);
  }

  /**
   * Determines the cost of a request, unless its policy reads it by {@code cost_from}.
   *
   * @param otherwise the cost by endpoint and method, 1 and more
   * @return the rule's cost if that is above 1; never more than the permits at once
   */
  public long permits(long otherwise) {
    return permits(otherwise, limit);
  }

  /** Determines the cost for a caller with another limit. */
  public long permits(long otherwise, long callerLimit) {
    long wanted = cost > 1 ? cost : otherwise;
    return wanted == 1 ? 1 : Math.min(wanted, rule.policy(false).burstFor(callerLimit));
  }

  @Override
  public String toString() {
    return rule + (own ? ", own limit " + limit : "");
  }
}
