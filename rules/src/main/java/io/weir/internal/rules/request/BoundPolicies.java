package io.weir.internal.rules.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Policy;
import io.weir.internal.rules.request.AskedRequest.KnownCaller;
import io.weir.internal.rules.rulebook.AppliedRule;
import io.weir.internal.rules.rulebook.BoundLimit;
import io.weir.internal.rules.rulebook.BoundRules;
import io.weir.rules.SwitchState;
import io.weir.spi.AppliedPolicy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What rules, own limits, costs and switches make of annotated policies.
 *
 * <p>For a policy one limit holds, the first there is: the caller's own, the rule of its tier, the
 * one that the policy itself lists for the tier, the rule of everybody; else what settings and
 * annotation say. Safe for concurrent use.
 */
final class BoundPolicies {
  /** The same object for each request is cheap to decide. */
  private final Cache<Policy, Policy> shadows =
      Caffeine.newBuilder().weakKeys().executor(Runnable::run).build();

  private final CostWarnings warnings;

  BoundPolicies(CostWarnings warnings) {
    this.warnings = warnings;
  }

  /** Adds what takes the place of bound policies, and what is tried beside them. */
  void addTo(List<AppliedPolicy> all, AskedRequest asked, KnownCaller caller) {
    List<Policy> bound = asked.bound();
    for (int i = 0; i < bound.size(); i++) {
      Policy policy = bound.get(i);
      BoundRules rules = asked.book().forPolicy(policy.name());
      AppliedPolicy applied = inPlaceOf(policy, rules, asked, caller);
      if (applied != null) {
        all.add(applied);
      }
      if (!rules.isEmpty()) {
        for (AppliedRule tried : rules.tried(policy, caller.tier(), asked.now())) {
          all.add(priced(AppliedPolicy.of(tried.policy(true)), policy, asked));
        }
      }
    }
  }

  private @Nullable AppliedPolicy inPlaceOf(
      Policy policy, BoundRules rules, AskedRequest asked, KnownCaller caller) {
    SwitchState switched =
        asked.book().hasSwitches()
            ? asked.book().switchOf(policy.name(), asked.now()).orElse(null)
            : null;
    if (switched == SwitchState.OFF) {
      return AppliedPolicy.off(policy);
    }
    Optional<BoundLimit> limit = limit(policy, rules, asked, caller);
    AppliedPolicy applied = null;
    if (limit.isPresent()) {
      applied = AppliedPolicy.of(limit.get().policy()).withLimit(limit.get().limit());
    } else if (!caller.isTierGiven() && policy.tiers().containsKey(caller.tier())) {
      applied = AppliedPolicy.of(policy).withLimit(policy.tiers().get(caller.tier()));
    }
    if (switched == SwitchState.SHADOW || caller.isEvaluated() && limit.isPresent()) {
      applied = inShadow(applied == null ? AppliedPolicy.of(policy) : applied);
    }
    if (hasCost(policy, asked)) {
      applied = priced(applied == null ? AppliedPolicy.of(policy) : applied, policy, asked);
    }
    return applied;
  }

  private static Optional<BoundLimit> limit(
      Policy policy, BoundRules rules, AskedRequest asked, KnownCaller caller) {
    return asked.isLimitGiven() || rules.isEmpty() && caller.own().isEmpty()
        ? Optional.empty()
        : rules.limit(policy, caller.tier(), caller.own(), asked.now());
  }

  private AppliedPolicy inShadow(AppliedPolicy applied) {
    return applied.withPolicy(shadows.get(applied.policy(), Policy::inShadow));
  }

  /** Whether a row says what it costs; what the policy says itself goes before. */
  private static boolean hasCost(Policy policy, AskedRequest asked) {
    return asked.matched().cost().isPresent() && policy.cost() == 1 && policy.costFrom().isEmpty();
  }

  private AppliedPolicy priced(AppliedPolicy applied, Policy policy, AskedRequest asked) {
    if (!hasCost(policy, asked)) {
      return applied;
    }
    long atOnce = applied.policy().burstFor(applied.limit());
    return applied.withPermits(warnings.cut(policy.name(), asked.cost(), atOnce));
  }
}
