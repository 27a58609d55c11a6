package io.weir.internal.engine;

import io.weir.Policy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Warns of policies that admit nothing to some callers in this region, once for each. The start
 * refuses those that it knows; tiers, rules and policies of code come later.
 *
 * <p>Safe for concurrent use.
 */
final class LackingPartLog implements Consumer<Policy> {
  private static final int MAX_NAMES = 1_000;

  private final Set<String> named = ConcurrentHashMap.newKeySet();
  private final String region;
  private final Consumer<String> warn;

  LackingPartLog(String region, Consumer<String> warn) {
    this.region = region;
    this.warn = warn;
  }

  @Override
  public void accept(Policy policy) {
    if (named.size() < MAX_NAMES && named.add(policy.name())) {
      warn.accept(
          "Policy "
              + policy.name()
              + " admits nothing to some callers in region "
              + region
              + ": weir.regions.shares leaves less than one permit of their limit, burst or refill"
              + " there. Raise it, or give the policy scope REGION.");
    }
  }
}
