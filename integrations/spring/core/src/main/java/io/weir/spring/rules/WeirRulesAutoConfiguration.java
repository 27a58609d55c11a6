package io.weir.spring.rules;

import io.weir.rules.Rules;
import io.weir.spi.PolicySourceProvider;
import io.weir.spring.WeirAutoConfiguration;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Opens rules in a {@code DataSource} bean where {@code weir.rules=datasource:NAME} says so. */
@AutoConfiguration(before = WeirAutoConfiguration.class)
@ConditionalOnClass(Rules.class)
public class WeirRulesAutoConfiguration {
  /**
   * Makes the provider of rules that knows the beans.
   *
   * @param beans the application's
   * @return for the Weir of the application
   */
  @Bean
  @ConditionalOnMissingBean
  PolicySourceProvider weirRules(ConfigurableListableBeanFactory beans) {
    DataSourceBeans dataSources = new DataSourceBeans(beans);
    return setting -> Rules.open(setting, dataSources::find).map(Rules::policySource);
  }
}
