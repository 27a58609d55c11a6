package io.weir.internal.policy;

import io.weir.internal.settings.LiveSettings;
import io.weir.internal.settings.Settings;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a request costs by its HTTP method, as the settings say. Follows them.
 *
 * <p>Safe for concurrent use.
 */
public final class CostSettings {
  private volatile Map<String, Long> costs = Map.of();

  /**
   * Follows the settings from now on.
   *
   * @param settings {@code weir.cost.*}
   * @throws IllegalArgumentException if a cost is malformed
   */
  public CostSettings(LiveSettings settings) {
    settings.follow(this::prepare);
  }

  private Runnable prepare(Settings next) {
    Map<String, Long> read = MethodCosts.of(next);
    return () -> costs = read;
  }

  /**
   * The cost of a method.
   *
   * @param method an HTTP method in capitals
   * @return permits, 1 and more; nothing if the settings say nothing of it
   */
  public OptionalLong of(String method) {
    Long cost = costs.get(method);
    return cost == null ? OptionalLong.empty() : OptionalLong.of(cost);
  }
}
