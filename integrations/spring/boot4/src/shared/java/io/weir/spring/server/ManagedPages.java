package io.weir.spring.server;

import io.weir.servlet.ServletPeer;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;

/** Answers on the management port with the address that Weir would count by. */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@ConditionalOnProperty("weir.test.managed")
public class ManagedPages {
  /** Says whose request it is. */
  @Bean
  FilterRegistrationBean<Filter> peers() {
    FilterRegistrationBean<Filter> filter =
        new FilterRegistrationBean<>(
            (request, response, chain) ->
                ((HttpServletResponse) response)
                    .setHeader(
                        "Location",
                        ServletPeer.address((HttpServletRequest) request).orElseThrow()));
    filter.addUrlPatterns("/peer");
    return filter;
  }
}
