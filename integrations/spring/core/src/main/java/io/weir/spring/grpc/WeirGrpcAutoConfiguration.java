package io.weir.spring.grpc;

import io.grpc.ServerBuilder;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.grpc.CallUser;
import io.weir.grpc.RateLimitInterceptor;
import io.weir.spring.WeirAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.service.GrpcServiceConfigurer;

/** Limits the services that are beans of an application with Spring gRPC. */
@AutoConfiguration(
    after = WeirAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration",
      "org.springframework.grpc.autoconfigure.server.GrpcServerAutoConfiguration"
    })
@ConditionalOnClass({RateLimitInterceptor.class, GrpcServiceConfigurer.class})
@ConditionalOnBean({Adapter.class, GrpcServiceConfigurer.class})
public class WeirGrpcAutoConfiguration {
  /**
   * Makes the interceptor, which names the user that Spring Security has signed in, unless the
   * application has a {@link CallUser}.
   *
   * @param weir the application's
   * @param adapter names users
   * @param user the application's own, if it has one
   * @return closed after the server, and before the Weir
   */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  RateLimitInterceptor weirGrpcInterceptor(
      Weir weir, Adapter adapter, ObjectProvider<CallUser> user) {
    return RateLimitInterceptor.builder()
        .options(AdapterOptions.defaults().withWeir(weir))
        .user(user.getIfAvailable(() -> new SecurityUser(adapter)))
        .build();
  }

  /**
   * Limits each service that Spring gRPC finds.
   *
   * @param limits the interceptor
   * @return a processor of what configures services
   */
  @Bean
  static LimitedServices weirGrpcServices(ObjectProvider<RateLimitInterceptor> limits) {
    return new LimitedServices(limits);
  }

  /**
   * Puts the interceptor before all others, so that calls which the sign-in rejects count.
   *
   * @param limits the interceptor
   * @return the last one, since gRPC runs the last interceptor first
   */
  @Bean
  @Order(Ordered.LOWEST_PRECEDENCE)
  <T extends ServerBuilder<T>> ServerBuilderCustomizer<T> weirGrpcOutermost(
      RateLimitInterceptor limits) {
    return server -> server.intercept(limits);
  }
}
