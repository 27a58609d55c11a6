package io.weir.spring.boot3;

import io.weir.Weir;
import io.weir.adapter.HealthDetails;
import io.weir.spring.WeirAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Reports the store of Weir among the health contributors, as {@code weir}. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("weir")
public class WeirHealthAutoConfiguration {
  /**
   * Makes the contributor.
   *
   * @param weir the application's
   * @return {@code UP}, also while the store is away, which the details show
   */
  @Bean
  @ConditionalOnBean(Weir.class)
  @ConditionalOnMissingBean(name = "weirHealthIndicator")
  HealthIndicator weirHealthIndicator(Weir weir) {
    return () -> Health.up().withDetails(HealthDetails.of(weir)).build();
  }
}
