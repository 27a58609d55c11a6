package io.weir.quarkus.rules;

import io.quarkus.arc.DefaultBean;
import io.weir.rules.Rules;
import io.weir.spi.PolicySourceProvider;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Opens rules in a datasource of Quarkus where {@code weir.rules=datasource:NAME} says so. */
@Singleton
public class RulesBeans {
  /** Called by Quarkus. */
  public RulesBeans() {}

  /**
   * Makes the provider of rules that knows the datasources, unless the application has its own.
   *
   * @return for the Weir of the application
   */
  @Produces
  @Singleton
  @DefaultBean
  PolicySourceProvider rules() {
    return setting -> Rules.open(setting, DataSourceBeans::find).map(Rules::policySource);
  }
}
