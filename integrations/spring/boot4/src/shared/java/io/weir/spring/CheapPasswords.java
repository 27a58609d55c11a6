package io.weir.spring;

import org.springframework.context.annotation.Bean;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Encodes the passwords of an application, for {@code @Import}. What Spring Security does by
 * default takes a tenth of a second of a processor for each request.
 */
public class CheapPasswords {
  @Bean
  PasswordEncoder passwords() {
    return new BCryptPasswordEncoder(4);
  }
}
