package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/**
 * Leads requests to handlers that weren't found for them before the sign-in: none runs undecided.
 */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class WebFluxUndecidedTest {
  private static FluxServer server;
  private static FluxServer whole;
  private static int callers;

  @BeforeAll
  static void start() {
    server = FluxServer.start(App.class);
    whole = FluxServer.start(WholeApp.class);
  }

  @AfterAll
  static void stop() {
    server.close();
    whole.close();
  }

  @Configuration(proxyBeanMethods = false)
  @FluxServer.WithWebFlux
  @Import(Handlers.class)
  static class Parts {
    /** Goes by what a filter behind Weir's sets, and fails where that is missing. */
    @Bean
    RouterFunction<ServerResponse> byTenant() {
      return RouterFunctions.route()
          .route(isTenant("canary").and(RequestPredicates.path("/search")), new Canary())
          .build();
    }

    private static RequestPredicate isTenant(String name) {
      return request -> request.attribute("tenant").orElseThrow().equals(name);
    }

    /** Goes by the body, which the look-up before the sign-in doesn't read. */
    @Bean
    RouterFunction<ServerResponse> byBody() {
      return request ->
          RequestPredicates.path("/body").test(request)
              ? request.bodyToMono(String.class).filter("limited"::equals).map(body -> new ByBody())
              : Mono.empty();
    }

    @Bean
    @Order(0)
    WebFilter tenants() {
      return (exchange, chain) -> {
        String tenant = exchange.getRequest().getHeaders().getFirst("X-Tenant");
        exchange.getAttributes().put("tenant", tenant == null ? "none" : tenant);
        return chain.filter(exchange);
      };
    }

    @Bean
    @Order(1)
    WebFilter changes() {
      return (exchange, chain) -> chain.filter(changed(exchange, "X-Then-"));
    }

    /** Answers in place of the handler, as a sign-in does. */
    @Bean
    @Order(2)
    WebFilter answers() {
      return (exchange, chain) ->
          switch (String.valueOf(exchange.getRequest().getHeaders().getFirst("X-Answer"))) {
            case "401" -> {
              exchange.getResponse().setStatusCode(HttpStatus.UNAUTHORIZED);
              yield exchange.getResponse().setComplete();
            }
            case "throw" -> Mono.error(new IllegalStateException("no"));
            case "empty" -> Mono.empty();
            default -> chain.filter(exchange);
          };
    }

    /** Calls the dispatcher itself, before any filter of Weir. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    WebFilter shortcut(ObjectProvider<DispatcherHandler> dispatcher) {
      return (exchange, chain) -> {
        if (exchange.getRequest().getHeaders().getFirst("X-Shortcut") == null) {
          return chain.filter(changed(exchange, "X-First-"));
        }
        exchange.getAttributes().put("tenant", "none");
        return dispatcher.getObject().handle(exchange);
      };
    }

    /** Answers failures by a handler, as pages of single-page applications do. */
    @Bean
    @Order(-10)
    WebExceptionHandler page(ObjectProvider<DispatcherHandler> dispatcher) {
      return (exchange, failure) ->
          failure instanceof ArithmeticException
              ? dispatcher.getObject().handle(at(exchange, "/search"))
              : Mono.error(failure);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Parts.class)
  static class App {
    @Bean
    Weir weir() {
      return Weir.builder()
          .settings(
              Map.of(
                  "weir.proxy.trusted", "127.0.0.1",
                  "weir.cost.DELETE", "10",
                  "weir.policy.by-url.url", "/files/*",
                  "weir.policy.by-url.limit", "2",
                  "weir.policy.by-url.window", "1m",
                  "weir.policy.by-url.by", "ip"))
          .build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Parts.class)
  static class WholeApp {
    @Bean
    Weir weir() {
      return Weir.builder()
          .settings(
              Map.of(
                  "weir.proxy.trusted", "127.0.0.1",
                  "weir.application.limit", "2",
                  "weir.application.window", "1m",
                  "weir.application.by", "ip"))
          .build();
    }
  }

  private static ServerWebExchange changed(ServerWebExchange exchange, String prefix) {
    String path = exchange.getRequest().getHeaders().getFirst(prefix + "Path");
    String method = exchange.getRequest().getHeaders().getFirst(prefix + "Method");
    ServerWebExchange moved = path == null ? exchange : at(exchange, path);
    return method == null
        ? moved
        : moved.mutate().request(each -> each.method(HttpMethod.valueOf(method))).build();
  }

  private static ServerWebExchange at(ServerWebExchange exchange, String path) {
    ServerHttpRequest request = exchange.getRequest();
    return exchange
        .mutate()
        .request(request.mutate().uri(URI.create("http://localhost" + path)).path(path).build())
        .build();
  }

  @RateLimit(limit = 1, window = 60, by = By.IP, name = "canary")
  static class Canary implements HandlerFunction<ServerResponse> {
    @Override
    public Mono<ServerResponse> handle(ServerRequest request) {
      return ServerResponse.ok().bodyValue("canary");
    }
  }

  @RateLimit(limit = 1, window = 60, by = By.IP, name = "by-body")
  static class ByBody implements HandlerFunction<ServerResponse> {
    @Override
    public Mono<ServerResponse> handle(ServerRequest request) {
      return ServerResponse.ok().bodyValue("by body");
    }
  }

  @RestController
  static class Handlers {
    private final ObjectProvider<DispatcherHandler> dispatcher;

    Handlers(ObjectProvider<DispatcherHandler> dispatcher) {
      this.dispatcher = dispatcher;
    }

    @GetMapping("/search")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "search")
    String search() {
      return "search";
    }

    @GetMapping("/profile")
    @RateLimit(limit = 2, window = 60, by = By.USER, name = "profile")
    String profile() {
      return "profile";
    }

    @GetMapping("/fails")
    @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "fails")
    String fails() {
      return "succeeds";
    }

    @GetMapping("/free")
    String free() {
      return "free";
    }

    @RequestMapping(
        path = "/item",
        method = {RequestMethod.GET, RequestMethod.DELETE})
    @RateLimit(limit = 20, window = 60, by = By.IP, name = "item")
    String item() {
      return "item";
    }

    @GetMapping("/items/{id}")
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "path:id", name = "items")
    String items(@PathVariable String id) {
      return id;
    }

    @GetMapping("/files/{name}")
    String file(@PathVariable String name) {
      return name;
    }

    @GetMapping("/throws")
    String fail() {
      throw new ArithmeticException("no page");
    }

    @GetMapping("/again")
    Mono<Void> again(ServerWebExchange exchange) {
      return dispatcher.getObject().handle(at(exchange, "/search"));
    }
  }

  private static String[] caller(String... more) {
    callers++;
    return as("198.51.100." + callers, more);
  }

  private static String[] as(String address, String... more) {
    String[] all = new String[more.length + 2];
    all[0] = "X-Forwarded-For";
    all[1] = address;
    System.arraycopy(more, 0, all, 2, more.length);
    return all;
  }

  @Test
  void limitsAllHandlersWhereAPredicateNeedsWhatALaterFilterSets() throws Exception {
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/search", caller()));
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/profile", caller()));
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/files/a", caller()));
  }

  @Test
  void limitsTheWholeApplicationWhereAPredicateNeedsWhatALaterFilterSets() throws Exception {
    assertEquals(List.of(200, 200, 429), whole.statuses(3, "/free", caller()));
    assertEquals(List.of(200, 429), whole.statuses(2, "/search", caller("X-Tenant", "canary")));
    assertEquals(List.of(200, 200, 429), whole.statuses(3, "/free", caller("X-Shortcut", "yes")));
  }

  @Test
  void countsEachOfHandlersThatAnAttributeTellsApartByItsOwnLimit() throws Exception {
    String[] stable = caller();
    String[] canary = as(stable[1], "X-Tenant", "canary");
    assertEquals(List.of(200, 429, 429, 429, 429), server.statuses(5, "/search", canary));
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/search", stable));
  }

  @Test
  void refusesByTheLimitOfTheHandlerThatAnAttributeChooses() throws Exception {
    String[] stable = caller();
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/search", stable));
    assertEquals(
        List.of(200, 429), server.statuses(2, "/search", as(stable[1], "X-Tenant", "canary")));
    HttpResponse<String> refused = server.get("/search", stable);
    assertEquals(429, refused.statusCode());
    assertTrue(refused.body().contains("search"), refused.body());
    for (String answer : List.of("401", "throw", "empty")) {
      String[] early = as(stable[1], "X-Answer", answer);
      assertEquals(429, server.get("/search", early).statusCode(), answer);
    }
    assertEquals(401, server.get("/free", caller("X-Answer", "401")).statusCode());
  }

  @Test
  void limitsHandlersThatAreFoundByTheBody() throws Exception {
    String[] caller = caller();
    assertEquals(200, server.post("/body", "limited", caller).statusCode());
    assertEquals(429, server.post("/body", "limited", caller).statusCode());
    assertEquals(404, server.post("/body", "other", caller).statusCode());
  }

  @Test
  void chargesTheMethodThatALaterFilterHasChosen() throws Exception {
    assertEquals(
        List.of(200, 200, 429), server.statuses(3, "/item", caller("X-Then-Method", "DELETE")));
    assertEquals(
        List.of(200, 200, 429), server.statuses(3, "/item", caller("X-First-Method", "DELETE")));
  }

  @Test
  void decidesThePathThatAFilterHasChosen() throws Exception {
    for (String prefix : List.of("X-First-Path", "X-Then-Path")) {
      assertEquals(
          List.of(200, 200, 429), server.statuses(3, "/free", caller(prefix, "/files/a")), prefix);
      assertEquals(
          List.of(200, 200, 429), server.statuses(3, "/free", caller(prefix, "/profile")), prefix);
      assertEquals(
          List.of(200, 200, 200, 429),
          server.statuses(4, "/profile", caller(prefix, "/search")),
          prefix);
    }
  }

  @Test
  void chargesTheVariableOfThePathThatAFilterHasChosen() throws Exception {
    String[] rewritten = caller("X-Then-Path", "/items/two");
    assertEquals(List.of(200, 429), server.statuses(2, "/items/one", rewritten));
    assertEquals(List.of(200, 429), server.statuses(2, "/items/one", caller()));
  }

  @Test
  void limitsHandlersThatAnErrorPageCalls() throws Exception {
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/throws", caller()));
  }

  @Test
  void limitsHandlersThatAHandlerCallsByTheDispatcher() throws Exception {
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/again", caller()));
  }

  @Test
  void limitsHandlersThatAFilterBeforeWeirCalls() throws Exception {
    String[] caller = caller("X-Shortcut", "yes");
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/search", caller));
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/profile", caller));
    assertEquals(
        "2",
        server
            .get("/search", caller("X-Shortcut", "yes"))
            .headers()
            .firstValue("X-RateLimit-Remaining")
            .orElse(""));
    assertEquals(List.of(200, 200, 200), server.statuses(3, "/fails", caller));
  }

  @Test
  void countsOnceWhatIsFoundTwice() throws Exception {
    String[] head = caller();
    for (int i = 0; i < 3; i++) {
      assertEquals(200, server.send("HEAD", "/search", head).statusCode());
    }
    assertEquals(429, server.send("HEAD", "/search", head).statusCode());
    assertEquals(
        List.of(200, 200, 200, 429),
        server.statuses(4, "/search", caller("X-Then-Path", "/search")));
    assertEquals(404, server.get("/missing", head).statusCode());
    assertEquals(405, server.post("/search", "x", head).statusCode());
  }
}
