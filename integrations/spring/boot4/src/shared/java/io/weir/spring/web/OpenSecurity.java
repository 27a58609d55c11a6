package io.weir.spring.web;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** Opens an application to everybody, since Spring Security is on the class path of the tests. */
@Configuration(proxyBeanMethods = false)
class OpenSecurity {
  @Bean
  SecurityFilterChain open(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(each -> each.anyRequest().permitAll())
        .csrf(each -> each.disable())
        .build();
  }
}
