package io.weir.spring.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.weir.spi.DecisionMetrics;
import io.weir.spring.WeirAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Measures into the application's {@link MeterRegistry}. */
@AutoConfiguration(before = WeirAutoConfiguration.class)
@ConditionalOnClass(MeterRegistry.class)
public class WeirMetricsAutoConfiguration {
  /**
   * Makes the metrics, unless the application has its own.
   *
   * @param registries the application's, which may be made later
   * @param beans the application's
   * @return metrics for the Weir of the application
   */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  DecisionMetrics weirMetrics(
      ObjectProvider<MeterRegistry> registries, ConfigurableListableBeanFactory beans) {
    return new RegistryMetrics(registries, beans.isConfigurationFrozen());
  }
}
