package io.weir.architecture.breach.metrics;

import io.micrometer.core.instrument.MeterRegistry;

/** No breach. */
interface MicrometerMetrics {
  MeterRegistry micrometer();

  /** Nor in here. */
  interface Nested {
    MeterRegistry micrometer();
  }
}
