package io.weir.spring.operations;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** An application that is configured by Spring Boot alone, and lets everybody in. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class OpenToAll {
  /** Lets everybody in. */
  @Bean
  SecurityFilterChain open(HttpSecurity http) throws Exception {
    return http.csrf(csrf -> csrf.disable())
        .authorizeHttpRequests(all -> all.anyRequest().permitAll())
        .build();
  }
}
