package io.weir.spring.webflux;

import static io.weir.spring.SignedTokens.ONE;
import static io.weir.spring.SignedTokens.OTHER;
import static io.weir.spring.SignedTokens.bearer;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spring.SignedTokens;
import io.weir.spring.method.MethodLimitAutoConfiguration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtIssuerReactiveAuthenticationManagerResolver;
import org.springframework.security.oauth2.server.resource.authentication.JwtReactiveAuthenticationManager;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Counts users of several issuers who have one name, and parameters that WebFlux joins. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class WebFluxIssuersTest {
  private static FluxServer server;

  @Configuration(proxyBeanMethods = false)
  @FluxServer.WithWebFlux
  @EnableWebFluxSecurity
  @Import({Users.class, MethodLimitAutoConfiguration.class})
  static class App {
    @Bean
    SecurityWebFilterChain tokens(ServerHttpSecurity http) {
      ReactiveAuthenticationManager tokens =
          new JwtReactiveAuthenticationManager(
              NimbusReactiveJwtDecoder.withSecretKey(SignedTokens.key()).build());
      return http.authorizeExchange(each -> each.anyExchange().permitAll())
          .oauth2ResourceServer(
              each ->
                  each.authenticationManagerResolver(
                      new JwtIssuerReactiveAuthenticationManagerResolver(
                          issuer -> Mono.just(tokens))))
          .build();
    }

    @Bean
    Messages messages() {
      return new Messages();
    }
  }

  static class Messages {
    @RateLimit(limit = 2, window = 3600, by = By.KEY, key = "param:phone", name = "send")
    public void send(String phone) {}
  }

  @RestController
  static class Users {
    private final Messages messages;

    Users(Messages messages) {
      this.messages = messages;
    }

    @GetMapping("/user")
    @RateLimit(limit = 2, window = 3600, by = By.USER, name = "user")
    Mono<String> user() {
      return Mono.just("user");
    }

    @GetMapping("/sms")
    String sms(@RequestParam("phone") String phone) {
      messages.send(phone);
      return phone;
    }
  }

  @BeforeAll
  static void start() {
    server = FluxServer.start(App.class);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void countsThemApart() throws Exception {
    List<Integer> two = List.of(200, 200, 429);
    assertEquals(two, server.statuses(3, "/user", "Authorization", bearer(ONE, "ann")));
    assertEquals(two, server.statuses(3, "/user", "Authorization", bearer(OTHER, "ann")));
  }

  @Test
  void aRepeatedParameterIsNoOtherKey() throws Exception {
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/sms?phone=1"));
    assertEquals(400, server.get("/sms?phone=1&phone=1").statusCode());
    assertEquals(200, server.get("/sms?phone=1,2").statusCode());
  }
}
