package io.weir.spring.grpc;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.weir.grpc.RateLimitInterceptor;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.grpc.server.service.GrpcServiceConfigurer;
import org.springframework.grpc.server.service.GrpcServiceSpec;
import org.springframework.util.ClassUtils;

/**
 * Has Spring gRPC get each service limited, before it adds its interceptors. A service keeps the
 * class of its bean, since the service that is bound isn't one.
 */
final class LimitedServices implements BeanPostProcessor {
  /** Prefix of the packages of gRPC's own services, such as health and reflection. */
  private static final String OF_GRPC = "io.grpc.";

  private final ObjectProvider<RateLimitInterceptor> limits;

  LimitedServices(ObjectProvider<RateLimitInterceptor> limits) {
    this.limits = limits;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    return bean instanceof GrpcServiceConfigurer configurer ? limiting(configurer) : bean;
  }

  private GrpcServiceConfigurer limiting(GrpcServiceConfigurer configurer) {
    return (service, server) ->
        configurer.configure(
            new GrpcServiceSpec(() -> limit(service.service()), service.serviceInfo()), server);
  }

  private ServerServiceDefinition limit(BindableService service) {
    ServerServiceDefinition bound = service.bindService();
    Class<?> type = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(service));
    return type.getName().startsWith(OF_GRPC) ? bound : limits.getObject().limit(bound, type);
  }
}
