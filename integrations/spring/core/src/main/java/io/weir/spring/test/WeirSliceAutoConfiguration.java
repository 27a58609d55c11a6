package io.weir.spring.test;

import io.weir.spi.PolicySource;
import io.weir.spi.PolicySourceProvider;
import io.weir.spring.WeirAutoConfiguration;
import io.weir.spring.WeirBuilderCustomizer;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Replaces the parts of Weir whose Redis and {@code DataSource} a slice of the application, such as
 * {@code @WebMvcTest}, doesn't have: requests are counted in this process, and no rules are read,
 * whatever {@code weir.store} and {@code weir.rules} say. A test that brings beans for these parts,
 * for example by {@code @ImportAutoConfiguration}, has them.
 */
@AutoConfiguration(
    before = WeirAutoConfiguration.class,
    afterName = {
      "io.weir.spring.store.WeirStoreAutoConfiguration",
      "io.weir.spring.rules.WeirRulesAutoConfiguration"
    })
public class WeirSliceAutoConfiguration {
  /**
   * Replaces the store.
   *
   * @return counts in this process
   */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  @ConditionalOnMissingBean({PermitStore.class, StoreProvider.class})
  WeirBuilderCustomizer weirSliceStore() {
    return builder -> builder.settings(Map.of("weir.store", "inprocess:"));
  }

  /**
   * Replaces the rules.
   *
   * @return reads none
   */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  @ConditionalOnMissingBean({PolicySource.class, PolicySourceProvider.class})
  WeirBuilderCustomizer weirSliceRules() {
    return builder -> builder.settings(Map.of("weir.rules", ""));
  }
}
