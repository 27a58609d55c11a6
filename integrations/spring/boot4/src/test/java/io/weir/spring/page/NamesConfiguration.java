package io.weir.spring.page;

import io.weir.spi.UserNames;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

/** Names users of several issuers apart. */
@Configuration(proxyBeanMethods = false)
class NamesConfiguration {
  @Bean
  UserNames userNames() {
    return principal ->
        Optional.of(
            principal instanceof JwtAuthenticationToken jwt
                ? jwt.getToken().getIssuer() + " " + jwt.getName()
                : principal.getName());
  }
}
