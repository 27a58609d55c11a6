package io.weir.spring.actuate;

import io.weir.Weir;
import io.weir.spring.WeirAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Adds {@code /actuator/weir}, where endpoints of that name are exposed. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnAvailableEndpoint(endpoint = WeirEndpoint.class)
public class WeirEndpointAutoConfiguration {
  /**
   * Makes the endpoint.
   *
   * @param weir the application's
   * @return the endpoint
   */
  @Bean
  @ConditionalOnBean(Weir.class)
  @ConditionalOnMissingBean
  WeirEndpoint weirEndpoint(Weir weir) {
    return new WeirEndpoint(weir);
  }
}
