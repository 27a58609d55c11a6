package io.weir.internal.policy;

import io.weir.internal.settings.LiveSettings;
import io.weir.internal.settings.SettingsSnapshot;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Holds the costs of requests by HTTP method, and follows the settings.
 *
 * <p>Safe for concurrent use.
 */
public final class MethodCostSettings {
  private volatile Map<String, Long> costs = Map.of();

  /**
   * Follows the settings from now on.
   *
   * @throws IllegalArgumentException if a cost is malformed
   */
  public MethodCostSettings(LiveSettings settings) {
    settings.follow(this::prepare);
  }

  private Runnable prepare(SettingsSnapshot next) {
    Map<String, Long> read = MethodCosts.of(next);
    return () -> costs = read;
  }

  /**
   * Returns the cost of a method.
   *
   * @param method an HTTP method in capitals
   * @return at least 1 permit; empty if the settings have no cost for it
   */
  public OptionalLong of(String method) {
    Long cost = costs.get(method);
    return cost == null ? OptionalLong.empty() : OptionalLong.of(cost);
  }
}
