package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import io.weir.rules.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules for one annotated policy: those whose pattern is {@code policy:} and its name. {@link
 * LimitSource} has their precedence.
 *
 * <p>Safe for concurrent use.
 */
public final class PolicyOverrideRules {
  public static final PolicyOverrideRules NONE = new PolicyOverrideRules(List.of());

  private final Map<String, List<PolicyOverrideRule>> byTier = new HashMap<>();

  PolicyOverrideRules(List<CompiledRule> rules) {
    rules.forEach(
        each ->
            byTier
                .computeIfAbsent(each.rule().tier(), any -> new ArrayList<>(1))
                .add(new PolicyOverrideRule(each)));
  }

  /** Returns whether no rule of any tier is for the policy. */
  public boolean isEmpty() {
    return byTier.isEmpty();
  }

  /**
   * Returns the rules of a tier, in any state and at any time.
   *
   * @param tier a tier, or {@code *}
   * @return in the order of their ids
   */
  public List<PolicyOverrideRule> of(String tier) {
    return byTier.getOrDefault(tier, List.of());
  }

  /** Returns the enforced rule of a tier that applies now: at most one does. */
  @Nullable PolicyOverrideRule enforced(Policy bound, String tier, long now) {
    return first(false, bound, tier, now);
  }

  /**
   * Returns the rule that is tried beside the limit in force: it decides and counts in a bucket of
   * its own name, and never refuses. A rule of the caller's tier is tried before one of {@code *}.
   *
   * @param bound the policy as it is in force
   * @param tier the caller's tier
   * @param now microseconds since the epoch
   * @return the rule under its own policy; null if none is tried
   */
  public @Nullable AppliedRule tried(Policy bound, String tier, long now) {
    if (byTier.isEmpty()) {
      return null;
    }
    PolicyOverrideRule found = first(true, bound, tier, now);
    if (found == null) {
      found = first(true, bound, Rule.EVERYBODY, now);
    }
    return found == null ? null : AppliedRule.of(found.rule().as(found.over(bound).orElseThrow()));
  }

  private @Nullable PolicyOverrideRule first(
      boolean isShadow, Policy bound, String tier, long now) {
    List<PolicyOverrideRule> rules = of(tier);
    for (int i = 0; i < rules.size(); i++) {
      PolicyOverrideRule each = rules.get(i);
      if (each.rule().isShadow() == isShadow && each.whyNot(bound, now) == null) {
        return each;
      }
    }
    return null;
  }
}
