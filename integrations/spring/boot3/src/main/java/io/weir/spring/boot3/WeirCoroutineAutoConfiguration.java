package io.weir.spring.boot3;

import io.weir.spring.web.CoroutineHandlerAdapter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcRegistrations;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * Lets the coroutines of Spring MVC's handlers know their request, unless the application chooses
 * what calls its handlers.
 */
@AutoConfiguration(afterName = "io.weir.spring.web.WeirWebMvcAutoConfiguration")
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(
    value = WebMvcRegistrations.class,
    name = {"kotlinx.coroutines.reactor.MonoKt", "kotlin.reflect.full.KClasses"})
@ConditionalOnBean(name = "weirWebMvcFilter")
public class WeirCoroutineAutoConfiguration {
  /**
   * Replaces what calls the methods of controllers.
   *
   * @return with a handler adapter of Weir's, and all else as Spring Boot has it
   */
  @Bean
  @ConditionalOnMissingBean(WebMvcRegistrations.class)
  WebMvcRegistrations weirWebMvcRegistrations() {
    return new WebMvcRegistrations() {
      @Override
      public RequestMappingHandlerAdapter getRequestMappingHandlerAdapter() {
        return new CoroutineHandlerAdapter();
      }
    };
  }
}
