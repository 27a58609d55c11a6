package io.weir.internal.rules.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Policy;
import io.weir.internal.rules.rulebook.AppliedRule;
import io.weir.internal.rules.rulebook.LimitOverride;
import io.weir.internal.rules.rulebook.LimitSource;
import io.weir.internal.rules.rulebook.LimitedCaller;
import io.weir.internal.rules.rulebook.PolicyOverrideRules;
import io.weir.rules.SwitchState;
import io.weir.spi.AppliedPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Overrides annotated policies by rules, own limits, costs and switches, with the precedence of
 * {@link LimitSource}. Safe for concurrent use.
 */
final class DeclaredPolicyOverrides {
  /** Caches one object per policy, since a policy that was decided before is cheap to decide. */
  private final Cache<Policy, Policy> shadows =
      Caffeine.newBuilder().weakKeys().executor(Runnable::run).build();

  private final CostCap warnings;

  DeclaredPolicyOverrides(CostCap warnings) {
    this.warnings = warnings;
  }

  /** Adds the policies that replace bound ones, and those that are tried beside them. */
  void addTo(List<AppliedPolicy> all, EvaluationContext asked, LimitedCaller caller) {
    List<Policy> bound = asked.bound();
    for (int i = 0; i < bound.size(); i++) {
      Policy policy = bound.get(i);
      PolicyOverrideRules rules = asked.book().forPolicy(policy.name());
      SwitchState switched = asked.switchOf(policy.name());
      AppliedPolicy applied = override(policy, rules, switched, asked, caller);
      if (applied != null) {
        all.add(applied);
      }
      AppliedRule tried = tried(policy, rules, switched, asked, caller);
      if (tried != null) {
        all.add(priced(AppliedPolicy.of(tried.policy(true)), policy, asked));
      }
    }
  }

  /** Returns null if the policy decides as it is. */
  private @Nullable AppliedPolicy override(
      Policy policy,
      PolicyOverrideRules rules,
      @Nullable SwitchState switched,
      EvaluationContext asked,
      LimitedCaller caller) {
    LimitOverride limit = LimitSource.inForce(policy, rules, switched, caller, asked.now());
    if (limit == LimitOverride.OFF) {
      return AppliedPolicy.off(policy);
    }
    Policy decides = limit.policy();
    AppliedPolicy applied =
        decides == null ? null : AppliedPolicy.of(decides).withLimit(limit.limit());
    if (switched == SwitchState.SHADOW || isMeasured(limit, caller)) {
      applied = inShadow(applied == null ? AppliedPolicy.of(policy) : applied);
    }
    if (hasCost(policy, asked)) {
      applied = priced(applied == null ? AppliedPolicy.of(policy) : applied, policy, asked);
    }
    return applied;
  }

  /**
   * Finds the rule that is tried beside a policy.
   *
   * @return null if there is none, or a switch turns it or the policy off
   */
  static @Nullable AppliedRule tried(
      Policy policy,
      PolicyOverrideRules rules,
      @Nullable SwitchState switched,
      EvaluationContext asked,
      LimitedCaller caller) {
    if (switched == SwitchState.OFF) {
      return null;
    }
    AppliedRule tried = rules.tried(policy, caller.tier(), asked.now());
    return tried == null || asked.switchOf(tried.rule().name()) == SwitchState.OFF ? null : tried;
  }

  /** Returns whether the caller is under evaluation, so that a limit of rules only measures it. */
  static boolean isMeasured(LimitOverride limit, LimitedCaller caller) {
    return caller.isEvaluated() && limit.isOfRules();
  }

  private AppliedPolicy inShadow(AppliedPolicy applied) {
    return applied.withPolicy(shadows.get(applied.policy(), Policy::inShadow));
  }

  /** Returns whether a row of costs applies; the policy's own cost overrides it. */
  private static boolean hasCost(Policy policy, EvaluationContext asked) {
    return asked.matched().cost().isPresent() && policy.cost() == 1 && policy.costFrom().isEmpty();
  }

  private AppliedPolicy priced(AppliedPolicy applied, Policy policy, EvaluationContext asked) {
    if (!hasCost(policy, asked)) {
      return applied;
    }
    long atOnce = applied.policy().burstFor(applied.limit());
    return applied.withPermits(warnings.cut(policy.name(), asked.cost(), atOnce));
  }
}
