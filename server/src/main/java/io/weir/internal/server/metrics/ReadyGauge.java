package io.weir.internal.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.BooleanSupplier;

/** Registers the gauge that reports whether the server is ready. */
public final class ReadyGauge {
  private ReadyGauge() {}

  /** {@code isReady} must return at once. */
  public static void register(MeterRegistry registry, BooleanSupplier isReady) {
    Gauge.builder("weir.server.ready", () -> isReady.getAsBoolean() ? 1 : 0)
        .description("1 if the server is ready, as /health/ready reports it, else 0")
        .strongReference(true)
        .register(registry);
  }
}
