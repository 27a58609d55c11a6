package io.weir.example.spring;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Signs in alice/alice and bob/bob by Basic authentication, which only the profile requires. */
@Configuration
class SecurityConfiguration {
  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(
            requests ->
                requests.requestMatchers("/api/profile").authenticated().anyRequest().permitAll())
        .httpBasic(basic -> basic.realmName("example"))
        .csrf(AbstractHttpConfigurer::disable) // no browser signs in here
        .build();
  }

  @Bean
  UserDetailsService users() {
    return new InMemoryUserDetailsManager(user("alice"), user("bob"));
  }

  private static UserDetails user(String name) {
    return User.withUsername(name).password("{noop}" + name).build();
  }
}
