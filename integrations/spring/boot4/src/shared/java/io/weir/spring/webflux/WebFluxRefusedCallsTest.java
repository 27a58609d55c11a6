package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidRequestException;
import io.weir.RateLimitExceededException;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spring.RequestContext;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Limited calls that handlers make: their caller, and what becomes of their refusals. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class WebFluxRefusedCallsTest {
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
    Shop.class,
    Local.class,
    Naming.class,
    Calling.class,
    Handled.class,
    Handled.Advice.class
  })
  static class App {
    @Bean
    Weir weir() {
      return Weir.builder().settings(Map.of("weir.proxy.trusted", "127.0.0.1")).build();
    }

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    WebExceptionHandler everything() {
      return (exchange, failure) -> {
        if (failure instanceof IllegalStateException) {
          return Mono.error(failure);
        }
        exchange.getResponse().setStatusCode(HttpStatus.BAD_GATEWAY);
        return exchange.getResponse().setComplete();
      };
    }
  }

  /** Has one limited method, which a layer such as an advice calls. */
  static class Shop {
    private final LimitedCall limits;

    Shop(Adapter adapter) throws NoSuchMethodException {
      limits = adapter.call(Shop.class, Shop.class.getDeclaredMethod("bought"), List.of());
    }

    @RateLimit(limit = 1, window = 60, by = By.IP, name = "buy")
    String bought() {
      return "bought";
    }

    String buy() {
      try {
        return (String) limits.run(new Object[0], this::bought);
      } catch (Throwable refused) {
        ReflectionUtils.rethrowRuntimeException(refused);
        return "";
      }
    }

    /** Buys as an advice does that finds the request in the subscriber's context. */
    Mono<String> buyLater() {
      return Mono.deferContextual(
          context -> {
            try (LimitedRequest.Binding unused =
                RequestContext.find(context).orElseThrow().bind(null)) {
              return Mono.just(buy());
            }
          });
    }
  }

  /** Fails in each way in which a handler can. */
  abstract static class Ways {
    final Shop shop;

    Ways(Shop shop) {
      this.shop = shop;
    }

    Object run(String way) {
      return switch (way) {
        case "thrown" -> Mono.just(shop.buy());
        case "mono" -> Mono.fromCallable(shop::buy);
        case "flux" -> Flux.defer(() -> Flux.just(shop.buy()));
        case "later" -> Mono.defer(shop::buyLater).subscribeOn(Schedulers.parallel());
        case "future" -> Mono.fromFuture(failedBy(shop::buy));
        default -> throw new IllegalStateException("handled by the application");
      };
    }

    private static CompletableFuture<String> failedBy(Callable<String> task) {
      try {
        return CompletableFuture.completedFuture(task.call());
      } catch (Exception failure) {
        return CompletableFuture.<String>failedFuture(failure).thenApply(each -> each);
      }
    }
  }

  @RestController
  static class Local extends Ways {
    Local(Shop shop) {
      super(shop);
    }

    @GetMapping("/local/{way}")
    @RateLimit(limit = 9, window = 60, by = By.IP, name = "local")
    Object handle(@PathVariable String way) {
      return run(way);
    }

    @GetMapping("/plain")
    String plain() {
      return shop.buy();
    }

    @GetMapping("/invalid")
    String invalid() {
      throw new InvalidRequestException("the cost must be a number");
    }

    @ExceptionHandler(Exception.class)
    @ResponseStatus(HttpStatus.CONFLICT)
    String any(Exception any) {
      return "local";
    }
  }

  @RestController
  static class Handled extends Ways {
    Handled(Shop shop) {
      super(shop);
    }

    @GetMapping("/advised/{way}")
    Object handle(@PathVariable String way) {
      return run(way);
    }

    @ControllerAdvice
    static class Advice {
      @ExceptionHandler(Throwable.class)
      @ResponseStatus(HttpStatus.CONFLICT)
      @ResponseBody
      String any(Throwable any) {
        return "advice";
      }
    }
  }

  @RestController
  static class Naming {
    private final Shop shop;

    Naming(Shop shop) {
      this.shop = shop;
    }

    @GetMapping("/named")
    String named() {
      return shop.buy();
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.PAYMENT_REQUIRED)
    String refused(RateLimitExceededException refused) {
      return "named";
    }
  }

  @RestController
  static class Calling {
    private final Shop shop;

    Calling(Shop shop) {
      this.shop = shop;
    }

    @PostMapping("/body")
    String body(@RequestBody String body) {
      return shop.buy();
    }

    @PostMapping("/form")
    String form(ServerWebExchange exchange) {
      return shop.buy();
    }
  }

  private static String[] caller() {
    callers++;
    return new String[] {"X-Forwarded-For", "198.51.100." + callers};
  }

  private static void assertRefused(String way, HttpResponse<String> response) {
    assertEquals(429, response.statusCode(), () -> way + response.body());
    assertTrue(response.body().contains("\"buy\""), response.body());
    assertTrue(response.headers().firstValue("Retry-After").isPresent());
  }

  @Test
  void answersRefusalsBeforeExceptionHandlers() throws Exception {
    for (String handler : List.of("/local/", "/advised/")) {
      for (String way : List.of("thrown", "mono", "flux", "later", "future")) {
        String[] caller = caller();
        HttpResponse<String> bought = server.get(handler + way, caller);
        assertEquals(200, bought.statusCode(), () -> way + bought.body());
        assertRefused(handler + way, server.get(handler + way, caller));
      }
    }
    String[] caller = caller();
    assertEquals("bought", server.get("/plain", caller).body());
    assertRefused("plain", server.get("/plain", caller));
  }

  @Test
  void leavesOtherExceptionsToTheirHandlers() throws Exception {
    assertEquals("local", server.get("/local/other", caller()).body());
    assertEquals(409, server.get("/local/other", caller()).statusCode());
  }

  @Test
  void leavesRefusalsToHandlersThatNameThem() throws Exception {
    String[] caller = caller();
    assertEquals("bought", server.get("/named", caller).body());
    HttpResponse<String> refused = server.get("/named", caller);
    assertEquals(402, refused.statusCode());
    assertEquals("named", refused.body());
  }

  @Test
  void answersCallsThatCannotBeCounted() throws Exception {
    HttpResponse<String> invalid = server.get("/invalid", caller());
    assertEquals(400, invalid.statusCode());
    assertTrue(invalid.body().contains("the cost must be a number"), invalid.body());
  }

  @Test
  void knowsTheCallerWhereverTheArgumentsComeFrom() throws Exception {
    for (String path : List.of("/body", "/form")) {
      String[] first = caller();
      assertEquals("bought", server.post(path, "x=1", first).body(), path);
      assertEquals(429, server.post(path, "x=1", first).statusCode(), path);
      assertEquals("bought", server.post(path, "x=1", caller()).body(), path);
    }
  }
}
