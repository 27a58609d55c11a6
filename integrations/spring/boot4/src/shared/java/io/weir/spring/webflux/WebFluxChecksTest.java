package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The essentials of limits over HTTP: keys, fields, refusals, outcomes. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class WebFluxChecksTest {
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
  @Import({Checked.class, Inherited.class, Implemented.class, ByClass.class, SignIn.class})
  static class App {
    @Bean
    Weir weir() {
      return Weir.builder().settings(Map.of("weir.proxy.trusted", "127.0.0.1")).build();
    }
  }

  /** Signs in the user of a field, as a filter of an application may. */
  @Order(0)
  static class SignIn implements WebFilter {
    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
      String name = exchange.getRequest().getHeaders().getFirst("X-User");
      return name == null
          ? chain.filter(exchange)
          : chain.filter(exchange.mutate().principal(Mono.just(() -> name)).build());
    }
  }

  @RestController
  static class Checked {
    @GetMapping("/ip")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "ip")
    String ip() {
      return "ip";
    }

    @GetMapping("/user")
    @RateLimit(limit = 3, window = 60, by = By.USER, name = "user")
    Mono<String> user() {
      return Mono.just("user");
    }

    @GetMapping("/key")
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:X-Api-Key", name = "key")
    Flux<String> key() {
      return Flux.just("k", "e", "y");
    }

    @GetMapping("/async")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "async")
    Mono<String> async() {
      return Mono.fromSupplier(() -> "async").subscribeOn(Schedulers.parallel());
    }

    @GetMapping("/mapped")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "mapped")
    String mapped() {
      throw new ExpectedException();
    }

    @GetMapping("/items/{id:[0-9]+}/")
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "path:id", name = "item")
    String item(@PathVariable String id) {
      return id;
    }

    @GetMapping("/search")
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "query:q", name = "search")
    String search(@RequestParam String q) {
      return q;
    }

    @GetMapping("/paid")
    @RateLimit(limit = 3, window = 60, by = By.IP, costFrom = "query:amount", name = "paid")
    String paid() {
      return "paid";
    }

    @PostMapping("/echo")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "echo")
    Mono<String> echo(@RequestBody Mono<String> body) {
      return body;
    }

    @GetMapping("/failures")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures")
    String failures(@RequestParam int status) {
      if (status == 422) {
        throw new UnprocessableException();
      }
      return "fine";
    }

    @GetMapping("/failures-async")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures-async")
    Mono<String> failuresAsync(@RequestParam int status) {
      return Mono.fromSupplier(() -> failures(status)).subscribeOn(Schedulers.parallel());
    }

    @GetMapping("/unmapped")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "unmapped")
    String unmapped() {
      throw new IllegalStateException("on purpose");
    }

    @GetMapping("/unmapped-success")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.SUCCESSES, name = "successes")
    Mono<String> unmappedSuccess() {
      return Mono.error(new IllegalStateException("on purpose"));
    }

    @GetMapping("/free")
    String free() {
      return "free";
    }

    @GetMapping("/meta")
    @Twice
    String meta() {
      return "meta";
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
    String map(ExpectedException expected) {
      return "mapped";
    }

    @ExceptionHandler
    ResponseEntity<String> map(UnprocessableException expected) {
      return ResponseEntity.status(422).body("unprocessable");
    }
  }

  @Retention(RetentionPolicy.RUNTIME)
  @RateLimit(limit = 2, window = 60, by = By.IP)
  @interface Twice {}

  abstract static class Base {
    @GetMapping("/inherited")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "inherited")
    public String inherited() {
      return "inherited";
    }
  }

  @RestController
  static class Inherited extends Base {}

  interface Contract {
    @GetMapping("/implemented")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "implemented")
    String implemented();
  }

  @RestController
  static class Implemented implements Contract {
    @Override
    public String implemented() {
      return "implemented";
    }
  }

  @RestController
  @RequestMapping("/class")
  @RateLimit(limit = 2, window = 60, by = By.IP, name = "class")
  static class ByClass {
    @GetMapping("/one")
    String one() {
      return "one";
    }

    @GetMapping("/two")
    String two() {
      return "two";
    }
  }

  static class ExpectedException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  static class UnprocessableException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static String[] caller() {
    callers++;
    return new String[] {
      "X-Forwarded-For", "198.51.100." + callers,
      "X-User", "user-" + callers,
      "X-Api-Key", "key-" + callers
    };
  }

  private static long remaining(HttpResponse<?> response) {
    return response.headers().firstValueAsLong("X-RateLimit-Remaining").orElse(-1);
  }

  private static List<String> fields(HttpResponse<?> response) {
    return response.headers().map().keySet().stream()
        .map(each -> each.toLowerCase(java.util.Locale.ROOT))
        .filter(each -> each.contains("ratelimit"))
        .sorted()
        .toList();
  }

  @Test
  void refusesWhatCostsMoreThanTheLimitWithoutATimeToRetry() throws Exception {
    String[] caller = caller();
    HttpResponse<String> refused = server.get("/paid?amount=4", caller);
    assertEquals(429, refused.statusCode());
    assertEquals(List.of(), refused.headers().allValues("Retry-After"));
    assertEquals(3, remaining(refused));
    assertTrue(refused.body().contains("never admits this request"), refused::body);
    assertEquals(0, remaining(server.get("/paid?amount=3", caller)));
  }

  @Test
  void admitsThreeWithFieldsThatCountDownThenRefuses() throws Exception {
    for (String kind : List.of("/ip", "/user", "/key", "/async", "/mapped")) {
      String[] caller = caller();
      int admitted = kind.equals("/mapped") ? 500 : 200;
      for (int left = 2; left >= 0; left--) {
        HttpResponse<String> response = server.get(kind, caller);
        assertEquals(admitted, response.statusCode(), kind);
        assertEquals(left, remaining(response), kind);
        assertEquals(5, fields(response).size(), () -> kind + response.headers());
      }
      HttpResponse<String> refused = server.get(kind, caller);
      assertEquals(429, refused.statusCode(), kind);
      assertEquals(0, remaining(refused));
      assertEquals(5, fields(refused).size(), () -> kind + refused.headers());
      assertTrue(refused.headers().firstValueAsLong("Retry-After").orElse(0) > 0);
      assertTrue(
          refused
              .headers()
              .firstValue("Content-Type")
              .orElse("")
              .startsWith("application/problem+json"));
      assertTrue(refused.body().contains("violated-policies"), refused.body());
    }
  }

  @Test
  void countsEachCallerAlone() throws Exception {
    for (String kind : List.of("/ip", "/user", "/key")) {
      String[] caller = caller();
      assertEquals(List.of(200, 200, 200, 429), server.statuses(4, kind, caller));
      assertEquals(2, remaining(server.get(kind, caller())), kind);
    }
    String[] user = caller();
    assertEquals(List.of(200, 200, 200), server.statuses(3, "/user", user));
    user[1] = caller()[1];
    assertEquals(429, server.get("/user", user).statusCode());
  }

  @Test
  void readsPathAndQuery() throws Exception {
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/items/7/"));
    assertEquals(200, server.get("/items/8/").statusCode());
    assertEquals(404, server.get("/items/x/").statusCode());
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/search?q=a%20b"));
    assertEquals(429, server.get("/search?q=a+b").statusCode());
    assertEquals(200, server.get("/search?q=c").statusCode());
  }

  @Test
  void limitsBodiesToo() throws Exception {
    String[] caller = caller();
    for (int i = 0; i < 3; i++) {
      assertEquals("hello", server.post("/echo", "hello", caller).body());
    }
    assertEquals(429, server.post("/echo", "hello", caller).statusCode());
  }

  @Test
  void followsMetaAnnotationsInheritanceInterfacesAndClasses() throws Exception {
    for (String path : List.of("/meta", "/inherited", "/implemented")) {
      assertEquals(List.of(200, 200, 429), server.statuses(3, path, caller()), path);
    }
    String[] caller = caller();
    assertEquals(200, server.get("/class/one", caller).statusCode());
    assertEquals(200, server.get("/class/two", caller).statusCode());
    assertEquals(429, server.get("/class/one", caller).statusCode());
  }

  @Test
  void countsByTheOutcome() throws Exception {
    for (String path : List.of("/failures", "/failures-async")) {
      assertEquals(
          List.of(200, 200, 200, 200, 200), server.statuses(5, path + "?status=200", caller()));
      String[] caller = caller();
      assertEquals(
          List.of(422, 422, 422, 429), server.statuses(4, path + "?status=422", caller), path);
      assertEquals(429, server.get(path + "?status=200", caller).statusCode());
    }
    HttpResponse<String> failed = server.get("/failures?status=422", caller());
    assertEquals(5, fields(failed).size());
    assertEquals(List.of(500, 500, 500, 429), server.statuses(4, "/unmapped", caller()));
    assertEquals(5, fields(server.get("/unmapped", caller())).size());
    assertEquals(
        List.of(500, 500, 500, 500, 500), server.statuses(5, "/unmapped-success", caller()));
  }

  @Test
  void countsHeadAsGetAndOptionsNotAtAll() throws Exception {
    String[] caller = caller();
    assertEquals(200, server.send("OPTIONS", "/ip", caller).statusCode());
    assertEquals(200, server.send("HEAD", "/ip", caller).statusCode());
    assertEquals(1, remaining(server.get("/ip", caller)));
    server.get("/ip", caller);
    HttpResponse<String> refused = server.send("HEAD", "/ip", caller);
    assertEquals(429, refused.statusCode());
    assertEquals(5, fields(refused).size());
    assertEquals("", refused.body());
  }

  @Test
  void leavesTheRestAlone() throws Exception {
    HttpResponse<String> free = server.get("/free", caller());
    assertEquals(200, free.statusCode());
    assertEquals(List.of(), fields(free));
    HttpResponse<String> missing = server.get("/missing", caller());
    assertEquals(404, missing.statusCode());
    assertEquals(List.of(), fields(missing));
    assertEquals(405, server.send("DELETE", "/ip", caller()).statusCode());
  }
}
