package io.weir.spring.server;

import io.weir.annotation.RateLimit;
import java.net.URI;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/** With WebFlux. */
abstract class ReactiveAddressContract extends AddressContract {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableWebFluxSecurity
  static class Shop {
    @Bean
    SecurityWebFilterChain open(ServerHttpSecurity http) {
      return http.csrf(csrf -> csrf.disable())
          .authorizeExchange(all -> all.anyExchange().permitAll())
          .build();
    }

    @Bean
    Pages pages() {
      return new Pages();
    }
  }

  @RestController
  static class Pages {
    @GetMapping("/flux")
    @RateLimit(limit = 2, window = 3_600, name = "flux")
    String two() {
      return "two";
    }

    @GetMapping("/redirect")
    ResponseEntity<Void> redirect(ServerHttpRequest request) {
      URI there =
          UriComponentsBuilder.fromUri(request.getURI()).replacePath("/there").build().toUri();
      return ResponseEntity.status(302).location(there).build();
    }
  }

  @Override
  WebApplicationType type() {
    return WebApplicationType.REACTIVE;
  }

  @Override
  Class<?> application() {
    return Shop.class;
  }

  @Override
  List<String> limited() {
    return List.of("/flux");
  }
}
