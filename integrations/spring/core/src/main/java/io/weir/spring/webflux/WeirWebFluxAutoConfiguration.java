package io.weir.spring.webflux;

import io.weir.adapter.Adapter;
import io.weir.spring.StartCheck;
import io.weir.spring.WeirAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.WebFilter;

/** Limits the handlers of Spring WebFlux. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnBean(Adapter.class)
@ImportRuntimeHints(WeirWebFluxAutoConfiguration.Hints.class)
public class WeirWebFluxAutoConfiguration {
  /**
   * Adds the filter before Spring Security, whether the application has that or not.
   *
   * @param adapter the application's
   * @param context the application
   * @return for all paths
   */
  @Bean
  @ConditionalOnMissingBean(name = "weirWebFluxFilter")
  WebFluxRateLimitFilter weirWebFluxFilter(Adapter adapter, ApplicationContext context) {
    return new WebFluxRateLimitFilter(adapter, context);
  }

  /**
   * Adds the filter after Spring Security.
   *
   * @param weirWebFluxFilter the filter before it
   * @return the last one
   */
  @Bean
  @ConditionalOnMissingBean(name = "weirWebFluxUserFilter")
  WebFilter weirWebFluxUserFilter(WebFluxRateLimitFilter weirWebFluxFilter) {
    return weirWebFluxFilter.afterSignIn();
  }

  /**
   * Decides each handler before it runs.
   *
   * @param weirWebFluxFilter decides
   * @param context the application
   * @return before all other handler adapters
   */
  @Bean
  HandlerAdapter weirWebFluxHandlers(
      WebFluxRateLimitFilter weirWebFluxFilter, ApplicationContext context) {
    return new LimitedHandlers(weirWebFluxFilter, context);
  }

  /**
   * Watches exchanges from outside of all filters.
   *
   * @return the outermost
   */
  @Bean
  HttpHandlerDecoratorFactory weirWebFluxWatch() {
    return new WatchedHandler();
  }

  /**
   * Checks the annotations of all handlers when the application starts, and lets refusals pass its
   * exception handlers.
   *
   * @param weirWebFluxFilter knows the handlers
   * @param adapters those of handler methods
   * @return runs once all beans are made
   */
  @Bean
  StartCheck weirWebFluxCheck(
      WebFluxRateLimitFilter weirWebFluxFilter,
      ObjectProvider<RequestMappingHandlerAdapter> adapters) {
    return () -> weirWebFluxFilter.start(adapters);
  }

  /** Lets {@link RefusalsPass} read its fields in a native image. */
  static final class Hints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
      RefusalsPass.register(hints);
    }
  }
}
