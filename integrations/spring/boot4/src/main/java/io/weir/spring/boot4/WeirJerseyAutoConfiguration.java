package io.weir.spring.boot4;

import io.weir.Weir;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.spring.WeirAutoConfiguration;
import org.glassfish.jersey.server.ResourceConfig;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jersey.autoconfigure.JerseyAutoConfiguration;
import org.springframework.boot.jersey.autoconfigure.ResourceConfigCustomizer;
import org.springframework.context.annotation.Bean;

/**
 * Limits the resources of a Jersey application that Spring Boot starts, by the Weir of the context.
 * Jersey itself would find another Weir, which knows no bean.
 */
@AutoConfiguration(after = WeirAutoConfiguration.class, before = JerseyAutoConfiguration.class)
@ConditionalOnClass({ResourceConfig.class, ResourceConfigCustomizer.class})
@ConditionalOnProperty(name = "weir.jaxrs.auto", havingValue = "true", matchIfMissing = true)
public class WeirJerseyAutoConfiguration {
  /**
   * Registers the limits, unless the application has registered them itself.
   *
   * @param weir the application's
   * @return for the Jersey application
   */
  @Bean
  @ConditionalOnBean(Weir.class)
  ResourceConfigCustomizer weirResourceConfigCustomizer(Weir weir) {
    return jersey -> {
      if (!jersey.isRegistered(RateLimitFeature.class)) {
        jersey.register(new RateLimitFeature(weir));
      }
    };
  }
}
