package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A rule for an annotated policy, with the policies that it has been applied to.
 *
 * <p>Safe for concurrent use.
 */
public final class PolicyOverrideRule {
  /** A name may stand for several policies, and for others after each change of settings. */
  private static final int MAX_POLICIES = 100;

  private final CompiledRule rule;
  private final Map<Policy, Optional<Policy>> made = new ConcurrentHashMap<>(2);

  PolicyOverrideRule(CompiledRule rule) {
    this.rule = rule;
  }

  public CompiledRule rule() {
    return rule;
  }

  /**
   * Finds why the rule doesn't apply, regardless of other rules.
   *
   * @param bound the policy as it is in force
   * @param now microseconds since the epoch
   * @return null if it applies
   */
  public @Nullable String whyNot(Policy bound, long now) {
    if (!rule.holds(now)) {
      return "it isn't valid now";
    }
    return over(bound).isPresent() ? null : "it doesn't fit the policy";
  }

  /**
   * Puts the rule in the place of a policy's own limit.
   *
   * @param bound the policy as it is in force
   * @return with the policy's window and algorithm, and the same object each time; empty if they
   *     don't fit together
   */
  Optional<Policy> over(Policy bound) {
    Optional<Policy> known = made.get(bound);
    if (known == null) {
      if (made.size() >= MAX_POLICIES) {
        made.clear();
      }
      known = made.computeIfAbsent(bound, policy -> RulePolicyFactory.over(rule.rule(), policy));
    }
    return known;
  }
}
