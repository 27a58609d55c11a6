package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spring.CheapPasswords;
import io.weir.spring.UserlessCondition;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.PathPatternParserServerWebExchangeMatcher;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** Limits around Spring Security: before its sign-in, and by the user that it signs in. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class WebFluxSecurityTest {
  private static FluxServer server;
  private static int callers;

  @BeforeAll
  static void start() {
    server = FluxServer.start(App.class);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableWebFluxSecurity
  @FluxServer.WithWebFlux
  @Import({Guarded.class, CheapPasswords.class})
  static class App {
    @Bean
    Weir weir() {
      return Weir.builder()
          .settings(Map.of("weir.proxy.trusted", "127.0.0.1"))
          .requestCondition(
              "passwords", new UserlessCondition(request -> request.query("password").isPresent()))
          .requestCondition("users", new UserlessCondition(request -> request.user().isPresent()))
          .build();
    }

    @Bean
    @Order(1)
    SecurityWebFilterChain tokens(ServerHttpSecurity http) {
      return http.securityMatcher(new PathPatternParserServerWebExchangeMatcher("/jwt/**"))
          .authorizeExchange(each -> each.anyExchange().authenticated())
          .oauth2ResourceServer(each -> each.jwt(jwt -> jwt.jwtDecoder(App::decoded)))
          .build();
    }

    @Bean
    @Order(2)
    SecurityWebFilterChain open(ServerHttpSecurity http) {
      return http.securityMatcher(new PathPatternParserServerWebExchangeMatcher("/open/**"))
          .authorizeExchange(each -> each.anyExchange().permitAll())
          .anonymous(Customizer.withDefaults())
          .build();
    }

    /** Signs in objects without a name, another one for each request. */
    @Bean
    @Order(2)
    SecurityWebFilterChain nameless(ServerHttpSecurity http) {
      return http.securityMatcher(new PathPatternParserServerWebExchangeMatcher("/nameless/**"))
          .authorizeExchange(each -> each.anyExchange().authenticated())
          .addFilterAt(
              (exchange, chain) ->
                  chain
                      .filter(exchange)
                      .contextWrite(
                          ReactiveSecurityContextHolder.withAuthentication(
                              new UsernamePasswordAuthenticationToken(
                                  new Nameless(), null, List.of()))),
              SecurityWebFiltersOrder.AUTHENTICATION)
          .build();
    }

    @Bean
    @Order(3)
    SecurityWebFilterChain basic(ServerHttpSecurity http) {
      return http.authorizeExchange(each -> each.anyExchange().authenticated())
          .httpBasic(Customizer.withDefaults())
          .build();
    }

    /** Answers in place of the controller where a filter has set an attribute. */
    @Bean
    RouterFunction<ServerResponse> byTenant() {
      return request ->
          request.path().equals("/ip") && request.attribute("tenant").isPresent()
              ? Mono.just(any -> ServerResponse.ok().bodyValue("of the tenant"))
              : Mono.empty();
    }

    @Bean
    @Order(0)
    WebFilter tenants() {
      return (exchange, chain) -> {
        if (exchange.getRequest().getHeaders().getFirst("X-Tenant") != null) {
          exchange.getAttributes().put("tenant", "any");
        }
        return chain.filter(exchange);
      };
    }

    @Bean
    MapReactiveUserDetailsService users(PasswordEncoder passwords) {
      User.UserBuilder user = User.builder().passwordEncoder(passwords::encode).roles("USER");
      return new MapReactiveUserDetailsService(
          user.username("ann").password("secret").build(),
          user.username("bob").password("secret").build());
    }

    private static Mono<Jwt> decoded(String token) {
      return token.startsWith("of-")
          ? Mono.just(
              Jwt.withTokenValue(token).header("alg", "none").subject(token.substring(3)).build())
          : Mono.error(new BadJwtException("unknown"));
    }
  }

  static final class Nameless {}

  @RestController
  static class Guarded {
    @GetMapping("/ip")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "ip")
    Mono<String> ip() {
      return Mono.just("ip");
    }

    @GetMapping({"/user", "/jwt/user", "/open/user", "/nameless/user"})
    @RateLimit(limit = 3, window = 60, by = By.USER, name = "user")
    Mono<String> user() {
      return Mono.just("user");
    }

    @GetMapping("/login")
    @RateLimit(limit = 3, window = 60, when = "passwords", name = "login")
    Mono<String> login() {
      return Mono.just("login");
    }

    @GetMapping("/mistaken")
    @RateLimit(limit = 3, window = 60, when = "users", name = "mistaken")
    Mono<String> mistaken() {
      return Mono.just("mistaken");
    }

    @GetMapping("/both")
    @RateLimit(limit = 5, window = 60, by = By.IP, name = "both-ip")
    @RateLimit(limit = 2, window = 60, by = By.USER, name = "both-user")
    Mono<String> both() {
      return Mono.just("both");
    }
  }

  private static String address() {
    callers++;
    return "198.51.100." + callers;
  }

  private static String[] basic(String address, String user, String password) {
    byte[] text = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return new String[] {
      "X-Forwarded-For",
      address,
      "Authorization",
      "Basic " + Base64.getEncoder().encodeToString(text)
    };
  }

  private static String[] bearer(String token) {
    return new String[] {"X-Forwarded-For", address(), "Authorization", "Bearer " + token};
  }

  @Test
  void countsRejectedSignInsByAddress() throws Exception {
    String address = address();
    HttpResponse<String> rejected = server.get("/ip", basic(address, "ann", "wrong"));
    assertEquals(401, rejected.statusCode());
    assertEquals("2", rejected.headers().firstValue("X-RateLimit-Remaining").orElse(""));
    assertEquals(List.of(401, 401, 429), server.statuses(3, "/ip", basic(address, "ann", "wrong")));
    assertEquals(429, server.get("/ip", basic(address, "ann", "secret")).statusCode());
    assertEquals(200, server.get("/ip", basic(address(), "ann", "secret")).statusCode());
  }

  @Test
  void countsWrongPasswordsWhereTheConditionNeedsNoUser() throws Exception {
    String[] wrong = basic(address(), "ann", "wrong");
    assertEquals(List.of(401, 401, 401, 401), server.statuses(4, "/login", wrong));
    assertEquals(
        List.of(401, 401, 401, 429, 429, 429, 429, 429),
        server.statuses(8, "/login?password=guess", wrong));
  }

  @Test
  void decidesAfterTheSignInWhatReadsTheUserAllTheSame() throws Exception {
    String address = address();
    String[] wrong = basic(address, "ann", "wrong");
    assertEquals(List.of(401, 401, 401, 401), server.statuses(4, "/mistaken", wrong));
    String[] right = basic(address, "ann", "secret");
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/mistaken", right));
  }

  /** Else the handler that isn't limited would show which password is right. */
  @Test
  void checksNoPasswordAfterARefusalThoughAFilterMayChooseAnotherHandler() throws Exception {
    String address = address();
    String[] wrong = of(basic(address, "ann", "wrong"), "X-Tenant", "any");
    assertEquals(List.of(401, 401, 401, 429), server.statuses(4, "/ip", wrong));
    String[] right = of(basic(address, "ann", "secret"), "X-Tenant", "any");
    assertEquals(429, server.get("/ip", right).statusCode());
    String[] other = of(basic(address(), "ann", "secret"), "X-Tenant", "any");
    assertEquals(List.of(200, 200, 200, 200), server.statuses(4, "/ip", other));
  }

  private static String[] of(String[] fields, String... more) {
    return Stream.concat(Stream.of(fields), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void countsByTheNameOfThePrincipal() throws Exception {
    assertEquals(
        List.of(200, 200, 200, 429),
        server.statuses(4, "/user", basic(address(), "ann", "secret")));
    assertEquals(429, server.get("/user", basic(address(), "ann", "secret")).statusCode());
    assertEquals(200, server.get("/user", basic(address(), "bob", "secret")).statusCode());
  }

  @Test
  void countsByTheSubjectOfToken() throws Exception {
    assertEquals(List.of(401, 401, 401, 401), server.statuses(4, "/jwt/user", bearer("bad")));
    assertEquals(List.of(200, 200, 200), server.statuses(3, "/jwt/user", bearer("of-carol")));
    assertEquals(429, server.get("/jwt/user", bearer("of-carol")).statusCode());
    assertEquals(200, server.get("/jwt/user", bearer("of-dave")).statusCode());
  }

  @Test
  void countsCallersWithoutUserByAddress() throws Exception {
    String[] first = {"X-Forwarded-For", address()};
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/open/user", first));
    assertEquals(200, server.get("/open/user", "X-Forwarded-For", address()).statusCode());
  }

  @Test
  void countsUsersWithoutANameByAddress() throws Exception {
    String[] first = {"X-Forwarded-For", address()};
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/nameless/user", first));
    assertEquals(200, server.get("/nameless/user", "X-Forwarded-For", address()).statusCode());
  }

  @Test
  void keepsChargesOfSignInsWhenTheUserIsRefused() throws Exception {
    String address = address();
    assertEquals(
        List.of(200, 200, 429, 429, 429),
        server.statuses(5, "/both", basic(address, "bob", "secret")));
    HttpResponse<String> refused = server.get("/both", basic(address, "ann", "wrong"));
    assertEquals(429, refused.statusCode()); // the address has used up its five
    assertTrue(refused.body().contains("both-ip"), refused.body());
  }
}
