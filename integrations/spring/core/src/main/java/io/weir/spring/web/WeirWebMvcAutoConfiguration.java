package io.weir.spring.web;

import io.weir.adapter.Adapter;
import io.weir.spring.StartCheck;
import io.weir.spring.WeirAutoConfiguration;
import jakarta.servlet.Servlet;
import java.util.EnumSet;
import java.util.List;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.handler.MappedInterceptor;

/** Limits the handlers of Spring MVC. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Servlet.class, DispatcherServlet.class})
@ConditionalOnBean(Adapter.class)
public class WeirWebMvcAutoConfiguration {
  /** The setting of Spring Boot that places the filters of Spring Security. */
  private static final String SECURITY_ORDER = "spring.security.filter.order";

  private static final int DEFAULT_SECURITY_ORDER = -100;

  /** After the filter that binds the request to its thread for request-scoped beans. */
  private static final int BEFORE_SECURITY = 2;

  /**
   * Registers the filter right before Spring Security, whether the application has that or not.
   *
   * @param adapter the application's
   * @param context the application
   * @param environment says where Spring Security stands
   * @return for all paths
   */
  @Bean
  @ConditionalOnMissingBean(name = "weirWebMvcFilter")
  FilterRegistrationBean<WebMvcRateLimitFilter> weirWebMvcFilter(
      Adapter adapter, ApplicationContext context, Environment environment) {
    FilterRegistrationBean<WebMvcRateLimitFilter> registration =
        new FilterRegistrationBean<>(new WebMvcRateLimitFilter(adapter, context));
    registration.setName("weirWebMvcFilter");
    registration.setDispatcherTypes(EnumSet.copyOf(WebMvcRateLimitFilter.dispatcherTypes()));
    registration.setOrder(
        environment.getProperty(SECURITY_ORDER, Integer.class, DEFAULT_SECURITY_ORDER)
            - BEFORE_SECURITY);
    return registration;
  }

  /**
   * Registers the filter that stands right before the servlets.
   *
   * @return for all paths, behind all other filters
   */
  @Bean
  FilterRegistrationBean<SignedInFilter> weirWebMvcSignedInFilter() {
    FilterRegistrationBean<SignedInFilter> registration =
        new FilterRegistrationBean<>(new SignedInFilter());
    registration.setName("weirWebMvcSignedInFilter");
    registration.setDispatcherTypes(SignedInFilter.dispatcherTypes());
    registration.setOrder(Ordered.LOWEST_PRECEDENCE);
    return registration;
  }

  /**
   * Checks the annotations of all handlers when the application starts.
   *
   * @param registrations those of the filter
   * @return runs with those of other adapters
   */
  @Bean
  StartCheck weirWebMvcCheck(
      ObjectProvider<FilterRegistrationBean<WebMvcRateLimitFilter>> registrations) {
    return () -> registrations.forEach(each -> each.getFilter().check());
  }

  /**
   * Lets the filter forget the application at its end, when the web server has stopped.
   *
   * @param registrations those of the filter
   * @return runs when the context closes
   */
  @Bean
  DisposableBean weirWebMvcEnd(
      ObjectProvider<FilterRegistrationBean<WebMvcRateLimitFilter>> registrations) {
    List<WebMvcRateLimitFilter> filters =
        registrations.stream().map(FilterRegistrationBean::getFilter).toList();
    return () -> filters.forEach(WebMvcRateLimitFilter::release);
  }

  /**
   * Adds the interceptor to all handler mappings.
   *
   * @return for all paths
   */
  @Bean
  MappedInterceptor weirWebMvcInterceptor() {
    return new MappedInterceptor(null, new RateLimitInterceptor());
  }

  /**
   * Answers refusals before the exception handlers of the application.
   *
   * @param adapter the application's
   * @return the first of all exception resolvers
   */
  @Bean
  RefusalResolver weirWebMvcRefusalResolver(ObjectProvider<Adapter> adapter) {
    return new RefusalResolver(adapter::getObject);
  }
}
