package io.weir.internal.rules.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.internal.rules.rulebook.AppliedRule;
import io.weir.internal.rules.rulebook.Rulebook;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Caches the policies that tiers have by one rulebook, by its lists of rules: those are the same
 * objects as long as their content is the same. Safe for concurrent use.
 */
final class TierPoliciesCache {
  private static final int MAX_LISTS = 20_000;
  private static final int MAX_COSTS = 20;

  /** The slots for recent policies, which are replaced without book-keeping: a power of 2. */
  private static final int RECENT = 4_096;

  private final Rulebook book;
  private final CostCap warnings;
  private final Cache<List<AppliedRule>, Map<Long, TierPolicies>> byRules =
      Caffeine.newBuilder().weakKeys().maximumSize(MAX_LISTS).executor(Runnable::run).build();

  private final AtomicReferenceArray<@Nullable Recent> recent = new AtomicReferenceArray<>(RECENT);

  private record Recent(List<AppliedRule> rules, long cost, TierPolicies policies) {}

  TierPoliciesCache(Rulebook book, CostCap warnings) {
    this.book = book;
    this.warnings = warnings;
  }

  boolean areOf(Rulebook other) {
    return book == other;
  }

  @SuppressWarnings("ReferenceEquality") // lists of the same rules are the same lists
  TierPolicies of(List<AppliedRule> rules, long cost) {
    int index = (int) (System.identityHashCode(rules) ^ cost) & (RECENT - 1);
    Recent last = recent.get(index);
    if (last != null && last.rules == rules && last.cost == cost) {
      return last.policies;
    }
    TierPolicies policies = find(rules, cost);
    recent.set(index, new Recent(rules, cost, policies));
    return policies;
  }

  private TierPolicies find(List<AppliedRule> rules, long cost) {
    Map<Long, TierPolicies> byCost = byRules.get(rules, any -> new ConcurrentHashMap<>(2));
    TierPolicies policies = byCost.get(cost);
    if (policies == null) {
      policies = new TierPolicies(rules, cost, warnings);
      if (byCost.size() < MAX_COSTS) {
        byCost.put(cost, policies);
      }
    }
    return policies;
  }
}
