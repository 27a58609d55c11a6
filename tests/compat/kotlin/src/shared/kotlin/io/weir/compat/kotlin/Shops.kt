package io.weir.compat.kotlin

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.context.annotation.Bean
import org.springframework.security.config.Customizer
import org.springframework.security.config.annotation.web.builders.HttpSecurity
import org.springframework.security.config.web.server.ServerHttpSecurity
import org.springframework.security.core.userdetails.ReactiveUserDetailsService
import org.springframework.security.core.userdetails.User
import org.springframework.security.core.userdetails.UserDetails
import org.springframework.security.core.userdetails.UserDetailsService
import org.springframework.security.web.SecurityFilterChain
import org.springframework.security.web.server.SecurityWebFilterChain
import reactor.core.publisher.Mono

private fun user(name: String): UserDetails =
    User.withUsername(name).password("{noop}secret").build()

/** The shop on Spring MVC. All users have the same password. */
@SpringBootApplication(scanBasePackages = ["io.weir.compat.kotlin.shop"])
class MvcShop {
  @Bean
  fun security(http: HttpSecurity): SecurityFilterChain =
      http
          .authorizeHttpRequests { it.anyRequest().permitAll() }
          .httpBasic(Customizer.withDefaults())
          .build()

  @Bean fun users() = UserDetailsService { user(it) }
}

/** The shop on WebFlux. */
@SpringBootApplication(scanBasePackages = ["io.weir.compat.kotlin.shop"])
class FluxShop {
  @Bean
  fun security(http: ServerHttpSecurity): SecurityWebFilterChain =
      http
          .authorizeExchange { it.anyExchange().permitAll() }
          .httpBasic(Customizer.withDefaults())
          .build()

  @Bean fun users() = ReactiveUserDetailsService { Mono.just(user(it)) }
}
