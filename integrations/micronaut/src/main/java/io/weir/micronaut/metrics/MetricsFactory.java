package io.weir.micronaut.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.weir.metrics.MicrometerMetrics;
import io.weir.spi.DecisionMetrics;
import jakarta.inject.Singleton;

/** Measures into the application's {@link MeterRegistry}, unless it has metrics of its own. */
@Factory
@Requires(classes = MeterRegistry.class)
final class MetricsFactory {
  @Singleton
  @Bean(preDestroy = "close")
  @Requires(beans = MeterRegistry.class, missingBeans = DecisionMetrics.class)
  DecisionMetrics metrics(MeterRegistry registry) {
    return new MicrometerMetrics(registry);
  }
}
