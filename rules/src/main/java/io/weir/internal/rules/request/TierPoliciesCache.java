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
  private static final int MAX_PLANS = 20_000;
  private static final int MAX_COSTS = 20;

  /** The slots for recent plans, which are replaced without book-keeping: a power of 2. */
  private static final int RECENT = 4_096;

  private final Rulebook book;
  private final CostCap warnings;
  private final Cache<List<AppliedRule>, Map<Long, TierPolicies>> plans =
      Caffeine.newBuilder().weakKeys().maximumSize(MAX_PLANS).executor(Runnable::run).build();

  private final AtomicReferenceArray<@Nullable Recent> recent = new AtomicReferenceArray<>(RECENT);

  private record Recent(List<AppliedRule> rules, long cost, TierPolicies plan) {}

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
      return last.plan;
    }
    TierPolicies plan = find(rules, cost);
    recent.set(index, new Recent(rules, cost, plan));
    return plan;
  }

  private TierPolicies find(List<AppliedRule> rules, long cost) {
    Map<Long, TierPolicies> byCost = plans.get(rules, any -> new ConcurrentHashMap<>(2));
    TierPolicies plan = byCost.get(cost);
    if (plan == null) {
      plan = new TierPolicies(rules, cost, warnings);
      if (byCost.size() < MAX_COSTS) {
        byCost.put(cost, plan);
      }
    }
    return plan;
  }
}
