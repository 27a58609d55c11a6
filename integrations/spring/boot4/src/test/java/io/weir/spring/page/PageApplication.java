package io.weir.spring.page;

import io.weir.spring.CheapPasswords;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** An application with the page's code. */
@SpringBootApplication
@Import(CheapPasswords.class)
class PageApplication {
  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    http.csrf(csrf -> csrf.ignoringRequestMatchers("/weir/**"));
    http.cors(Customizer.withDefaults());
    return http.authorizeHttpRequests(
            all -> all.requestMatchers("/search").permitAll().anyRequest().authenticated())
        .httpBasic(Customizer.withDefaults())
        .build();
  }

  @Bean
  UserDetailsService users(PasswordEncoder passwords) {
    return new InMemoryUserDetailsManager(
        User.withUsername("root").password(passwords.encode("root")).roles("weir-admin").build());
  }
}
