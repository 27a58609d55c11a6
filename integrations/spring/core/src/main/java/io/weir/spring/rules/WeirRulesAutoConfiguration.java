package io.weir.spring.rules;

import io.weir.rules.Rules;
import io.weir.spi.PolicySourceProvider;
import io.weir.spring.WeirAutoConfiguration;
import io.weir.spring.WeirCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/** Opens rules in a {@code DataSource} bean where {@code weir.rules=datasource:NAME} says so. */
@AutoConfiguration(before = WeirAutoConfiguration.class)
@ConditionalOnClass(Rules.class)
public class WeirRulesAutoConfiguration {
  /** Spring makes it. */
  public WeirRulesAutoConfiguration() {}

  /**
   * Gives Weir the provider of rules that knows the beans.
   *
   * @param beans the application's
   * @param given a provider of the application, which takes precedence
   * @return for the Weir of the application
   */
  @Bean
  @Order(WeirCustomizer.FIRST)
  WeirCustomizer weirRules(
      ConfigurableListableBeanFactory beans, ObjectProvider<PolicySourceProvider> given) {
    DataSourceBeans dataSources = new DataSourceBeans(beans);
    return builder ->
        builder.policySourceProvider(
            given.getIfAvailable(
                () -> setting -> Rules.open(setting, dataSources::find).map(Rules::policySource)));
  }
}
