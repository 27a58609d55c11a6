package io.weir.guard;

import io.weir.metrics.DecisionMetrics;
import io.weir.metrics.MicrometerMetrics;

/**
 * Finds where decisions are measured: a {@link DecisionMetrics} or a Micrometer registry known to
 * {@code ServiceLoader}, else Micrometer's global registry, else nowhere.
 */
final class FoundMetrics {
  private FoundMetrics() {}

  static DecisionMetrics in(ClassLoader loader) {
    return FoundParts.first(DecisionMetrics.class, loader).orElseGet(() -> micrometer(loader));
  }

  private static DecisionMetrics micrometer(ClassLoader loader) {
    try {
      return MicrometerMetrics.found(loader);
    } catch (NoClassDefFoundError absent) {
      return DecisionMetrics.none();
    }
  }
}
