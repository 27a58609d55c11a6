package io.weir.internal.rules.rulebook;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Policy;
import io.weir.rules.Rule;
import io.weir.rules.tier.OwnLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules for one annotated policy, those whose pattern is {@code policy:} and its name.
 *
 * <p>Safe for concurrent use.
 */
public final class BoundRules {
  /** There is no rule for the policy. */
  public static final BoundRules NONE = new BoundRules(List.of());

  /** One name may stand for several policies, but not for many. */
  private static final int MOST = 1_000;

  private final Map<String, List<CompiledRule>> byTier = new HashMap<>();
  private final Cache<Place, Optional<Policy>> made =
      Caffeine.newBuilder().maximumSize(MOST).executor(Runnable::run).build();

  private record Place(CompiledRule rule, Policy bound) {}

  BoundRules(List<CompiledRule> rules) {
    rules.forEach(
        each -> byTier.computeIfAbsent(each.rule().tier(), any -> new ArrayList<>()).add(each));
  }

  /**
   * Whether no rule of any tier is for the policy.
   *
   * @return true if at most an own limit of a caller can be
   */
  public boolean isEmpty() {
    return byTier.isEmpty();
  }

  /**
   * What holds for a caller: its own limit; else the rule of its tier; else, if the policy lists
   * the tier itself, nothing of rules; else the rule of everybody.
   *
   * @param bound the policy as it is in force
   * @param tier the caller's tier
   * @param own the caller's own limits
   * @param now microseconds since the epoch
   * @return nothing if annotation and settings hold
   */
  public Optional<BoundLimit> limit(Policy bound, String tier, OwnLimits own, long now) {
    CompiledRule ofTier = tier.equals(Rule.EVERYBODY) ? null : enforced(bound, tier, now);
    if (!own.isEmpty()) {
      Optional<OwnLimit> mine = own.forPolicy(bound.name(), ofTier);
      if (mine.isPresent()) {
        long limit = mine.get().limit();
        return Optional.of(new BoundLimit(ofTier, policy(ofTier, bound), limit, true));
      }
    }
    if (ofTier != null) {
      return Optional.of(of(ofTier, bound));
    }
    if (bound.tiers().containsKey(tier)) {
      return Optional.empty();
    }
    CompiledRule ofAll = enforced(bound, Rule.EVERYBODY, now);
    return ofAll == null ? Optional.empty() : Optional.of(of(ofAll, bound));
  }

  private BoundLimit of(CompiledRule rule, Policy bound) {
    return new BoundLimit(rule, policy(rule, bound), rule.rule().limit(), false);
  }

  /**
   * The rules that are tried beside what holds: each decides and counts in a bucket of its own
   * name, and refuses nobody.
   *
   * @param bound the policy as it is in force
   * @param tier the caller's tier
   * @param now microseconds since the epoch
   * @return those in shadow mode, as policies of their own; none as a rule
   */
  public List<AppliedRule> tried(Policy bound, String tier, long now) {
    if (byTier.isEmpty()) {
      return List.of();
    }
    List<AppliedRule> tried = new ArrayList<>(0);
    for (String each : List.of(tier, Rule.EVERYBODY)) {
      for (CompiledRule rule : byTier.getOrDefault(each, List.of())) {
        if (tried.isEmpty() && rule.isShadow() && rule.holds(now)) {
          over(rule, bound).ifPresent(policy -> tried.add(AppliedRule.of(rule.as(policy))));
        }
      }
    }
    return tried;
  }

  private @Nullable CompiledRule enforced(Policy bound, String tier, long now) {
    for (CompiledRule each : byTier.getOrDefault(tier, List.of())) {
      if (!each.isShadow() && each.holds(now) && over(each, bound).isPresent()) {
        return each;
      }
    }
    return null;
  }

  private Policy policy(@Nullable CompiledRule rule, Policy bound) {
    return rule == null ? bound : over(rule, bound).orElse(bound);
  }

  private Optional<Policy> over(CompiledRule rule, Policy bound) {
    return made.get(
        new Place(rule, bound), place -> RulePolicies.over(place.rule.rule(), place.bound));
  }
}
