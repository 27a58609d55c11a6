package io.weir.spring.server;

import io.weir.adapter.Adapter;
import io.weir.spring.WeirAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * Checks that callers can't choose the address that they are counted by. The last one, so that all
 * other checks have read their policies.
 */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnWebApplication
@ConditionalOnClass(WebServerFactoryCustomizer.class)
@ConditionalOnBean(Adapter.class)
public class WeirServerAutoConfiguration {
  /**
   * Knows from which servers Weir reads the address.
   *
   * @param context the application
   * @param adapter the application's
   * @return checks the server once all beans are made
   */
  @Bean
  ConnectionAddresses weirConnectionAddresses(
      ApplicationContext context, ObjectProvider<Adapter> adapter) {
    return new ConnectionAddresses(context, adapter);
  }
}
