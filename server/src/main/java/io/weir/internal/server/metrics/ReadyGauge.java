package io.weir.internal.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.BooleanSupplier;

/** Registers the gauge that reports whether the server is ready. */
public final class ReadyGauge {
  private ReadyGauge() {}

  /**
   * Registers the gauge.
   *
   * @param isReady returns at once whether requests should be sent to this server
   */
  public static void register(MeterRegistry registry, BooleanSupplier isReady) {
    Gauge.builder("weir.server.ready", () -> isReady.getAsBoolean() ? 1 : 0)
        .description("1 if the server is ready, as /health/ready reports it, else 0")
        .strongReference(true)
        .register(registry);
  }
}
