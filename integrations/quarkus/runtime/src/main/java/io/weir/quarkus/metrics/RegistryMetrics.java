package io.weir.quarkus.metrics;

import io.micrometer.core.instrument.Metrics;
import io.quarkus.arc.DefaultBean;
import io.weir.metrics.DeferredMetrics;
import io.weir.metrics.MicrometerMetrics;
import jakarta.inject.Singleton;

/**
 * Measures into the registry of Quarkus, which is Micrometer's global one, from when that is
 * configured: a meter that is made before has neither the filters nor the tags of the application.
 *
 * <p>Safe for concurrent use.
 */
@DefaultBean
@Singleton
public class RegistryMetrics extends DeferredMetrics {
  /** Called by Quarkus. */
  public RegistryMetrics() {}

  /** Begins to measure. */
  void begin() {
    begin(() -> new MicrometerMetrics(Metrics.globalRegistry));
  }
}
