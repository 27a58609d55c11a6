package io.weir.internal.policy;

import io.weir.Policy;
import io.weir.internal.settings.SettingNames;
import io.weir.internal.settings.SettingsSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Computes the permits that a request costs by its HTTP method. */
final class MethodCosts {
  private MethodCosts() {}

  /** Reads the costs of {@code weir.cost.<METHOD>}, and the usual ones if they are in force. */
  static Map<String, Long> of(SettingsSnapshot settings) {
    if (!settings.anyUnder(SettingNames.COST)) {
      return Map.of();
    }
    Map<String, Long> costs = new HashMap<>();
    if (settings.flag(SettingNames.COST_DEFAULTS, false)) {
      costs.putAll(SettingNames.DEFAULT_COSTS);
    }
    List<String> names = new ArrayList<>(settings.all().keySet());
    SettingNames.METHODS.forEach(method -> names.add(SettingNames.COST + method));
    names.removeIf(SettingNames.COST_DEFAULTS::equals);
    for (String name : names) {
      if (name.startsWith(SettingNames.COST) && settings.find(name).isPresent()) {
        String method = name.substring(SettingNames.COST.length());
        costs.put(method, settings.number(name, 1, 1, Policy.MAX_LIMIT));
      }
    }
    return Map.copyOf(costs);
  }

  /**
   * Lowers costs to the permits at once of a policy's smallest tier, so that requests by methods
   * that weren't foreseen can still pass.
   */
  static Map<String, Long> cappedFor(Policy policy, Map<String, Long> costs) {
    if (costs.isEmpty()) {
      return costs;
    }
    long burst = smallestBurst(policy);
    return costs.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, cost -> Math.min(cost.getValue(), burst)));
  }

  /** Returns the permits at once of the smallest tier. */
  static long smallestBurst(Policy policy) {
    long limit = policy.tiers().values().stream().reduce(policy.limit(), Math::min);
    return policy.burstFor(limit);
  }
}
