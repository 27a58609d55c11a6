package io.weir.spring.server;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** Lets everybody in, since Spring Security is on the class path of the tests. */
@Configuration(proxyBeanMethods = false)
class OpenToEverybody {
  @Bean
  SecurityFilterChain open(HttpSecurity http) throws Exception {
    return http.csrf(csrf -> csrf.disable())
        .authorizeHttpRequests(all -> all.anyRequest().permitAll())
        .build();
  }
}
