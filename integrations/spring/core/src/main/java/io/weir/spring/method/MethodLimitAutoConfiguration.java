package io.weir.spring.method;

import io.weir.adapter.Adapter;
import io.weir.spring.WeirAutoConfiguration;
import java.util.List;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Limits the annotated methods of all beans by proxies of Spring AOP, without AspectJ. Where
 * nothing else makes proxies, it makes Spring do so.
 */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@Import(MethodLimitAutoConfiguration.AutoProxyRegistrar.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class MethodLimitAutoConfiguration {
  /** The beans that limit the handlers of Spring MVC or WebFlux, if they are there. */
  private static final List<String> WEB_FILTERS = List.of("weirWebMvcFilter", "weirWebFluxFilter");

  /** The bean that limits the services of Spring gRPC, if it is there. */
  private static final String GRPC_SERVICES = "weirGrpcServices";

  /**
   * Makes the advice.
   *
   * @param beans the application's
   * @param adapter decides, from the first call on
   * @return before all other advice
   */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static RateLimitAdvisor weirMethodAdvisor(
      ConfigurableListableBeanFactory beans, ObjectProvider<Adapter> adapter) {
    return new RateLimitAdvisor(
        adapter,
        new LimitedMethodPointcut(
            beans,
            WEB_FILTERS.stream().anyMatch(beans::containsBean),
            beans.containsBean(GRPC_SERVICES)));
  }

  /**
   * Makes the processor that keeps the advice first and checks all limits at the start.
   *
   * @param beans the application's
   * @param advisor the advice
   * @return a processor of all beans
   */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static RateLimitBeanProcessor weirMethodBeanProcessor(
      ConfigurableListableBeanFactory beans, RateLimitAdvisor advisor) {
    return new RateLimitBeanProcessor(beans, advisor, new MethodLimitCheck(beans, advisor));
  }

  /** Makes Spring look for advice, unless it does so already. */
  static final class AutoProxyRegistrar implements ImportBeanDefinitionRegistrar {
    @Override
    public void registerBeanDefinitions(
        AnnotationMetadata importing, BeanDefinitionRegistry registry) {
      AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
    }
  }
}
