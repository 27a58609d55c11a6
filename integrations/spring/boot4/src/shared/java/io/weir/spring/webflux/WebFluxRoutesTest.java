package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;

/** Tries which handlers are limited, by what name of the endpoint, and what stays as it was. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class WebFluxRoutesTest {
  private static final Queue<String> ENDPOINTS = new ConcurrentLinkedQueue<>();
  private static final Queue<Request> OBSERVED = new ConcurrentLinkedQueue<>();
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
  @FluxServer.WithWebFlux
  @Import({
    Routes.class,
    ByBody.class,
    Moved.class,
    ByInterface.class,
    Answering.class,
    Rewriting.class
  })
  static class App {
    @Bean
    Weir weir() {
      return Weir.builder()
          .settings(Map.of("weir.proxy.trusted", "127.0.0.1"))
          .policySource(new Recorder())
          .build();
    }

    @Bean
    RouterFunction<ServerResponse> functions() {
      return RouterFunctions.route()
          .GET("/function/{id:[0-9]+}", new Function())
          .GET("/lambda/{id}", request -> ServerResponse.ok().bodyValue("lambda"))
          .nest(RequestPredicates.path("/nested"), nested -> nested.GET("/{id}", new Function()))
          .build();
    }

    /** Shows each controller as an application with transactions or security does. */
    @Bean
    static BeanPostProcessor proxies() {
      return new BeanPostProcessor() {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
          if (bean instanceof ByInterface || bean instanceof Moved) {
            ProxyFactory proxy = new ProxyFactory(bean);
            proxy.setProxyTargetClass(bean instanceof Moved);
            return proxy.getProxy();
          }
          return bean;
        }
      };
    }

    @Bean
    ObservationRegistry observations() {
      ObservationRegistry registry = ObservationRegistry.create();
      registry.observationConfig().observationHandler(new Observed());
      return registry;
    }
  }

  /** An observed request; one of an earlier test may be observed late. */
  private record Request(String address, String observed) {}

  private static final class Observed
      implements ObservationHandler<ServerRequestObservationContext> {
    @Override
    public void onStop(ServerRequestObservationContext context) {
      OBSERVED.add(
          new Request(
              context.getCarrier().getHeaders().getFirst("X-Forwarded-For"),
              context.getResponse().getStatusCode().value() + " " + context.getPathPattern()));
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return context instanceof ServerRequestObservationContext;
    }
  }

  /** Adds no policy, and records the endpoints that rules would match. */
  private static final class Recorder implements PolicySource {
    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
      ENDPOINTS.add(request.endpoint() + (request.hasTemplate() ? "" : " (a path)"));
      return CompletableFuture.completedFuture(AppliedPolicies.none());
    }
  }

  @RateLimit(limit = 2, window = 60, by = By.IP, name = "function")
  static class Function implements HandlerFunction<ServerResponse> {
    @Override
    public Mono<ServerResponse> handle(ServerRequest request) {
      return ServerResponse.ok().bodyValue("function");
    }
  }

  @RestController
  static class Routes {
    @GetMapping("/plain/{id:[a-z{}\\}]+}/{*rest}")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "plain")
    String plain() {
      return "plain";
    }

    @CrossOrigin("https://shop.example")
    @GetMapping("/cors")
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "cors")
    String cors() {
      return "cors";
    }

    @RequestMapping(path = "/options", method = RequestMethod.OPTIONS)
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "options")
    String options() {
      return "options";
    }

    @GetMapping("/limited")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "limited")
    String limited() {
      return "limited";
    }

    @GetMapping("/versioned")
    String versioned() {
      return "versioned";
    }

    @GetMapping(path = "/versioned", headers = "X-Version=2")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "versioned")
    String secondVersion() {
      return "second";
    }

    @GetMapping("/answered")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "answered")
    String answered() {
      return "never";
    }
  }

  @RestController
  static class Moved {
    @GetMapping("/moved")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "moved")
    public String moved() {
      return "moved";
    }
  }

  @RestController
  interface Contract {
    @GetMapping("/contract")
    String contract();
  }

  static class ByInterface implements Contract {
    @Override
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "contract")
    public String contract() {
      return "contract";
    }
  }

  /** Finds a handler by the body, and answers by what it has read. */
  @Order(1)
  static class ByBody implements HandlerMapping {
    @Override
    public Mono<Object> getHandler(ServerWebExchange exchange) {
      return exchange.getRequest().getPath().value().equals("/by-body")
          ? DataBufferUtils.join(exchange.getRequest().getBody())
              .map(each -> handler(each.toString(StandardCharsets.UTF_8)))
          : Mono.empty();
    }

    private static WebHandler handler(String body) {
      return exchange -> Answering.write(exchange.getResponse(), body);
    }
  }

  /** Answers before any handler could, and then goes on. */
  @Order(0)
  static class Answering implements WebFilter {
    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
      if (!exchange.getRequest().getPath().value().equals("/answered")) {
        return chain.filter(exchange);
      }
      return write(exchange.getResponse(), "filter");
    }

    static Mono<Void> write(ServerHttpResponse response, String text) {
      return response.writeWith(
          Mono.fromSupplier(
              () -> response.bufferFactory().wrap(text.getBytes(StandardCharsets.US_ASCII))));
    }
  }

  /** Serves one path by the handler of another. */
  @Order(Ordered.LOWEST_PRECEDENCE - 1)
  static class Rewriting implements WebFilter {
    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
      return switch (exchange.getRequest().getPath().value()) {
        case "/rewritten" ->
            chain.filter(exchange.mutate().request(each -> each.path("/limited")).build());
        case "/tenant/limited" ->
            chain.filter(exchange.mutate().request(each -> each.contextPath("/tenant")).build());
        case "/versioned" ->
            chain.filter(exchange.mutate().request(each -> each.header("X-Version", "2")).build());
        default -> chain.filter(exchange);
      };
    }
  }

  private static String[] caller(String... more) {
    callers++;
    String[] all = new String[more.length + 2];
    all[0] = "X-Forwarded-For";
    all[1] = "198.51.100." + callers;
    System.arraycopy(more, 0, all, 2, more.length);
    return all;
  }

  @Test
  void limitsFunctionsThatHaveClass() throws Exception {
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/function/7", caller()));
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/nested/7", caller()));
    assertEquals(List.of(200, 200, 200), server.statuses(3, "/lambda/7", caller()));
  }

  @Test
  void limitsControllersBehindProxies() throws Exception {
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/moved", caller()));
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/contract", caller()));
  }

  @Test
  void namesEndpointsByTemplatesWithoutExpressions() throws Exception {
    ENDPOINTS.clear();
    server.get("/function/7", caller());
    server.get("/nested/7", caller());
    server.get("/plain/a/b/c", caller());
    server.get("/lambda/7", caller());
    assertEquals(
        List.of("/function/{id}", "/nested/{id}", "/plain/{id}/{*rest}", "/lambda/{id}"),
        ENDPOINTS.stream().distinct().toList());
  }

  @Test
  void letsOtherOriginsReadRefusals() throws Exception {
    String[] caller = caller();
    assertEquals(200, server.get("/cors", caller).statusCode());
    RawReply refused = raw(caller[1], "GET /cors", "Origin: https://shop.example");
    assertEquals(429, refused.status());
    assertEquals(List.of("https://shop.example"), refused.all("Access-Control-Allow-Origin"));
    RawReply preflight =
        raw(
            caller[1],
            "OPTIONS /cors",
            "Origin: https://shop.example",
            "Access-Control-Request-Method: GET");
    assertEquals(200, preflight.status());
    String[] other = caller();
    assertEquals(403, raw(other[1], "GET /cors", "Origin: https://evil.example").status());
    RawReply first = raw(other[1], "GET /cors", "Origin: https://shop.example");
    assertEquals(200, first.status());
    assertEquals(1, first.all("Access-Control-Allow-Origin").size());
  }

  @Test
  void limitsOptionsThatTheApplicationAnswers() throws Exception {
    String[] caller = caller();
    assertEquals(200, server.send("OPTIONS", "/options", caller).statusCode());
    assertEquals(429, server.send("OPTIONS", "/options", caller).statusCode());
  }

  @Test
  void leavesObservationsAsTheyAre() throws Exception {
    String[] caller = caller();
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/limited", caller));
    server.get("/missing", caller);
    server.get("/answered", caller);
    Waiting.until("observed", () -> observed(caller[1]).size() == 6);
    assertEquals(
        List.of(
            "200 /limited", "200 /limited", "200 /limited", "200 null", "404 /**", "429 /limited"),
        observed(caller[1]));
  }

  private static List<String> observed(String address) {
    return OBSERVED.stream()
        .filter(each -> address.equals(each.address()))
        .map(Request::observed)
        .sorted()
        .toList();
  }

  @Test
  void countsWhatFiltersAnswer() throws Exception {
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/answered", caller()));
  }

  @Test
  void limitsTheHandlerThatFiltersHaveChosen() throws Exception {
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/rewritten", caller()));
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/tenant/limited", caller()));
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/versioned", caller()));
  }

  @Test
  void leavesTheBodyToMappingsThatReadIt() throws Exception {
    assertEquals("a body", server.post("/by-body", "a body", caller()).body());
  }

  @Test
  void admitsNoMoreByOtherSpellings() throws Exception {
    String[] caller = caller();
    int admitted = 0;
    for (String path :
        List.of(
            "/limited",
            "/%6cimited",
            "/limited;a=1",
            "//limited",
            "/limited/",
            "/./limited",
            "/x/../limited",
            "/limited?q=%zz",
            "/LIMITED",
            "/limited%20",
            "/limited%00",
            "/limited;",
            "/%2flimited",
            "/limited#x",
            "http://other/limited")) {
      RawReply reply = raw(caller[1], "GET " + path);
      if (reply.body().equals("limited")) {
        admitted++;
      }
    }
    assertEquals(3, admitted);
  }

  /** Sends what a client of the JDK would correct or refuse. */
  private static RawReply raw(String address, String start, String... fields) throws IOException {
    return RawReply.of(server.port(), address, start, fields);
  }

  @Configuration(proxyBeanMethods = false)
  @FluxServer.WithWebFlux
  @Import({Wrong.class, AlsoWrong.class})
  static class WrongApp {}

  @RestController
  static class Wrong {
    @GetMapping("/wrong")
    @RateLimit(limit = 0, window = 60, by = By.IP, name = "wrong")
    String wrong() {
      return "wrong";
    }
  }

  @RestController
  static class AlsoWrong {
    @GetMapping("/also")
    @RateLimit(limit = 1, window = 60, by = By.KEY, name = "also")
    String also() {
      return "also";
    }
  }

  @Test
  void refusesToStartWithAllMistakesAtOnce() {
    Throwable failure =
        assertThrows(RuntimeException.class, () -> FluxServer.start(WrongApp.class).close());
    while (failure.getCause() != null) {
      failure = failure.getCause();
    }
    String message = failure.getMessage();
    assertTrue(message.contains("Wrong#wrong") && message.contains("AlsoWrong#also"), message);
  }
}
