package io.weir.micronaut.rules;

import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.weir.rules.Rules;
import io.weir.spi.PolicySourceProvider;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** Opens rules in a {@link DataSource} bean where {@code weir.rules=datasource:NAME} says so. */
@Factory
@Requires(classes = Rules.class)
final class RulesFactory {
  /**
   * Makes the provider of rules that knows the beans.
   *
   * @param closedLater has Micronaut close data sources after what is made of the provider
   */
  @Singleton
  @Requires(missingBeans = PolicySourceProvider.class)
  PolicySourceProvider rules(BeanContext beans, BeanProvider<DataSource> closedLater) {
    DataSourceBeans dataSources = new DataSourceBeans(beans);
    return setting -> Rules.open(setting, dataSources::find).map(Rules::policySource);
  }
}
