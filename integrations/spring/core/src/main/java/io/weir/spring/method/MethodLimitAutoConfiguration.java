package io.weir.spring.method;

import io.weir.adapter.Adapter;
import io.weir.spring.WeirAutoConfiguration;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Limits the annotated methods of all beans by proxies of Spring AOP, without AspectJ. Where
 * nothing else makes proxies, it makes Spring do so.
 */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@Import(MethodLimitAutoConfiguration.AutoProxyRegistrar.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class MethodLimitAutoConfiguration {
  /** Spring makes it. */
  public MethodLimitAutoConfiguration() {}

  /**
   * Makes the advice.
   *
   * @param beans the application's
   * @param adapter decides, from the first call on
   * @param context tells whether there are web adapters
   * @return before all other advice
   */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static RateLimitAdvisor weirMethodAdvisor(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<Adapter> adapter,
      ApplicationContext context) {
    return new RateLimitAdvisor(beans, adapter, isWeb(context));
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

  /** Returns whether it is an application of Spring MVC or WebFlux, whose types may be missing. */
  private static boolean isWeb(ApplicationContext context) {
    return ClassUtils.getAllInterfacesForClassAsSet(context.getClass()).stream()
        .map(Class::getSimpleName)
        .anyMatch(each -> each.endsWith("WebApplicationContext"));
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
