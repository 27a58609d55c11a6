package io.weir.internal.guard;

import io.weir.metrics.MicrometerMetrics;
import io.weir.spi.DecisionMetrics;

/**
 * Finds where decisions are measured: a {@link DecisionMetrics} or a Micrometer registry known to
 * {@code ServiceLoader}, else Micrometer's global registry, else nowhere.
 */
final class DiscoveredMetrics {
  private DiscoveredMetrics() {}

  static DecisionMetrics in(ClassLoader loader) {
    return DiscoveredParts.first(DecisionMetrics.class, loader).orElseGet(() -> micrometer(loader));
  }

  private static DecisionMetrics micrometer(ClassLoader loader) {
    try {
      return MicrometerMetrics.found(loader);
    } catch (NoClassDefFoundError absent) {
      return DecisionMetrics.none();
    }
  }
}
