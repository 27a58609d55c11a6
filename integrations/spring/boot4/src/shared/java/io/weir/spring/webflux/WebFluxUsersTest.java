package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import io.weir.spring.CheapPasswords;
import io.weir.spring.method.MethodLimitAutoConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Counts calls of beans by the user of the request, whose handler has no limit by user itself. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class WebFluxUsersTest {
  private static final List<String> WAYS =
      List.of("plain", "stage", "mono", "flux", "parallel", "elastic", "body", "filter");

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
  @Import({
    MethodLimitAutoConfiguration.class,
    CheapPasswords.class,
    ByUser.class,
    ByUserAndFilter.class,
    Asked.class,
    Calls.class
  })
  static class App {
    @Bean
    Weir weir() {
      return Weir.builder()
          .settings(Map.of("weir.proxy.trusted", "127.0.0.1"))
          .requestCondition("ann", request -> isAnn(request))
          .keyResolver("user", RequestInfo::user)
          .tierResolver(
              (request, policy) -> isAnn(request) ? CallerTier.named("gold") : CallerTier.none())
          .build();
    }

    private static boolean isAnn(RequestInfo request) {
      return request.user().filter(each -> each.startsWith("ann")).isPresent();
    }

    @Bean
    SecurityWebFilterChain basic(ServerHttpSecurity http) {
      return http.authorizeExchange(each -> each.anyExchange().authenticated())
          .httpBasic(Customizer.withDefaults())
          .csrf(ServerHttpSecurity.CsrfSpec::disable)
          .build();
    }

    @Bean
    MapReactiveUserDetailsService users(PasswordEncoder passwords) {
      User.UserBuilder user = User.builder().passwordEncoder(passwords::encode).roles("USER");
      return new MapReactiveUserDetailsService(
          user.username("ann").password("secret").build(),
          user.username("bob").password("secret").build());
    }

    /** Calls a bean after the sign-in, before the handler. */
    @Bean
    @Order(0)
    WebFilter calling(ByUserAndFilter bean) {
      return (exchange, chain) ->
          exchange.getRequest().getPath().value().equals("/filter")
              ? bean.mono().then(chain.filter(exchange))
              : chain.filter(exchange);
    }
  }

  /** One method for each way to be called, so that each has a bucket of its own. */
  static class ByUser {
    @RateLimit(limit = 2, window = 60, by = By.USER, name = "bean-plain")
    String plain() {
      return "plain";
    }

    @RateLimit(limit = 2, window = 60, by = By.USER, name = "bean-stage")
    CompletableFuture<String> stage() {
      return CompletableFuture.completedFuture("stage");
    }

    @RateLimit(limit = 2, window = 60, by = By.USER, name = "bean-mono")
    Mono<String> mono() {
      return Mono.just("mono");
    }

    @RateLimit(limit = 2, window = 60, by = By.USER, name = "bean-flux")
    Flux<String> flux() {
      return Flux.just("fl", "ux");
    }

    @RateLimit(limit = 2, window = 60, by = By.USER, name = "bean-parallel")
    Mono<String> parallel() {
      return Mono.just("parallel");
    }

    @RateLimit(limit = 2, window = 60, by = By.USER, name = "bean-elastic")
    Mono<String> elastic() {
      return Mono.just("elastic");
    }

    @RateLimit(limit = 2, window = 60, by = By.USER, name = "bean-body")
    String body() {
      return "body";
    }
  }

  static class ByUserAndFilter {
    @RateLimit(limit = 2, window = 60, by = By.USER, name = "bean-filter")
    Mono<String> mono() {
      return Mono.just("filter");
    }
  }

  static class Asked {
    @RateLimit(limit = 1, window = 60, by = By.ENDPOINT, when = "ann", name = "asked-condition")
    String condition() {
      return "condition";
    }

    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "user", name = "asked-key")
    Mono<String> key() {
      return Mono.just("key");
    }

    @RateLimit(
        limit = 1,
        window = 60,
        by = By.IP,
        tiers = @Tier(name = "gold", limit = 3),
        name = "asked-tier")
    String tier() {
      return "tier";
    }
  }

  @RestController
  static class Calls {
    private final ByUser bean;
    private final Asked asked;

    Calls(ByUser bean, Asked asked) {
      this.bean = bean;
      this.asked = asked;
    }

    @GetMapping("/{way}")
    Mono<String> call(@PathVariable String way) {
      return switch (way) {
        case "plain" -> Mono.just(bean.plain());
        case "stage" -> Mono.fromFuture(bean.stage());
        case "mono" -> bean.mono();
        case "flux" -> bean.flux().collectList().map(each -> String.join("", each));
        case "parallel" -> Mono.delay(Duration.ofMillis(1)).then(bean.parallel());
        case "elastic" -> bean.elastic().subscribeOn(Schedulers.boundedElastic());
        case "condition" -> Mono.just(asked.condition());
        case "key" -> asked.key();
        case "tier" -> Mono.just(asked.tier());
        default -> Mono.just(way);
      };
    }

    @PostMapping("/body")
    String body(@RequestBody String body) {
      return bean.body();
    }
  }

  private static String address() {
    callers++;
    return "198.51.100." + callers;
  }

  private static List<Integer> statuses(int times, String way, String user, String address)
      throws Exception {
    String[] fields = {
      "X-Forwarded-For",
      address,
      "Authorization",
      "Basic "
          + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8))
    };
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(
          (way.equals("body") ? server.post("/body", "x", fields) : server.get("/" + way, fields))
              .statusCode());
    }
    return statuses;
  }

  @Test
  void givesEachUserOfAnAddressALimitOfItsOwn() throws Exception {
    for (String way : WAYS) {
      String address = address();
      assertEquals(List.of(200, 200, 429), statuses(3, way, "ann", address), way);
      assertEquals(List.of(200, 200, 429), statuses(3, way, "bob", address), way);
      assertEquals(List.of(429), statuses(1, way, "ann", address()), way);
    }
  }

  @Test
  void asksConditionsAndResolversAboutTheUser() throws Exception {
    assertEquals(List.of(200, 429), statuses(2, "condition", "ann", address()));
    assertEquals(List.of(200, 200), statuses(2, "condition", "bob", address()));
    String address = address();
    assertEquals(List.of(200, 429), statuses(2, "key", "ann", address));
    assertEquals(List.of(200, 429), statuses(2, "key", "bob", address));
    assertEquals(List.of(429), statuses(1, "key", "ann", address()));
    assertEquals(List.of(200, 200, 200, 429), statuses(4, "tier", "ann", address()));
    assertEquals(List.of(200, 429), statuses(2, "tier", "bob", address()));
  }
}
