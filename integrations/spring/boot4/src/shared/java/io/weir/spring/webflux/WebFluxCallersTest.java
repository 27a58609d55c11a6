package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spi.RequestInfo;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** Whose requests are counted: the peer's address, and the caller of limited calls. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class WebFluxCallersTest {
  @Configuration(proxyBeanMethods = false)
  @FluxServer.WithWebFlux
  @Import({Callers.class, Own.class})
  static class App {
    @Bean
    Weir weir() {
      return Weir.builder().keyResolver("client", RequestInfo::address).build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @FluxServer.WithWebFlux
  @Import({Callers.class, Own.class})
  static class TrustingApp {
    @Bean
    Weir weir() {
      return Weir.builder()
          .settings(
              Map.of(
                  "weir.proxy.trusted",
                  "127.0.0.1",
                  "weir.access.deny",
                  "203.0.113.0/24",
                  "weir.access.allow",
                  "203.0.113.7"))
          .keyResolver("client", RequestInfo::address)
          .build();
    }
  }

  @RestController
  static class Callers {
    @GetMapping("/ip")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "ip")
    String ip() {
      return "ip";
    }

    @GetMapping("/free")
    String free() {
      return "free";
    }

    @GetMapping("/client")
    @RateLimit(limit = 2, window = 60, by = By.KEY, key = "client", name = "client")
    String client() {
      return "client";
    }
  }

  /** Has a limited method whose calls an advice would see too. */
  @RestController
  static class Own {
    private final ObjectProvider<Adapter> adapter;

    Own(ObjectProvider<Adapter> adapter) {
      this.adapter = adapter;
    }

    @GetMapping("/own")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "own")
    String own() {
      return advised("own", () -> "own");
    }

    @PostMapping("/own")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "own-body")
    String ownBody(@RequestBody String body) {
      return advised("ownBody", () -> body);
    }

    @RateLimit(limit = 1, window = 60, by = By.IP, name = "called")
    String called() {
      return "called";
    }

    @GetMapping("/elsewhere")
    Mono<String> elsewhere() {
      return Mono.just("x")
          .publishOn(Schedulers.parallel())
          .map(any -> advised("called", this::called));
    }

    /** Has another chain do something in the same thread, which belongs to no request. */
    @GetMapping("/aside")
    Mono<String> aside() {
      return Mono.fromSupplier(
          () -> {
            var unused =
                Mono.fromCallable(() -> advised("called", this::called))
                    .contextWrite(Context.of("of", "nobody"))
                    .subscribe();
            return "aside";
          });
    }

    private String advised(String name, Callable<String> body) {
      Method method =
          List.of(Own.class.getDeclaredMethods()).stream()
              .filter(each -> each.getName().equals(name))
              .findFirst()
              .orElseThrow();
      LimitedCall call =
          adapter
              .getObject()
              .call(Own.class, method, List.of("body").subList(0, method.getParameterCount()));
      try {
        return (String) call.run(new Object[] {"x"}, body::call);
      } catch (Throwable refused) {
        ReflectionUtils.rethrowRuntimeException(refused);
        return "";
      }
    }
  }

  private static List<Integer> statusesOfForgers(FluxServer server) throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      String forged = "198.51.100." + i;
      statuses.add(
          server.get("/ip", "X-Forwarded-For", forged, "Forwarded", "for=" + forged).statusCode());
    }
    return statuses;
  }

  @Test
  void believesNoForwardedFieldsWhateverSpringDoesWithThem() throws Exception {
    for (String strategy : List.of("none", "framework", "native")) {
      try (FluxServer server =
          FluxServer.start(App.class, "server.forward-headers-strategy=" + strategy)) {
        assertEquals(List.of(200, 200, 429), statusesOfForgers(server), strategy);
      }
    }
  }

  @Test
  void believesTrustedProxiesWhateverSpringDoesWithTheirFields() throws Exception {
    for (String strategy : List.of("none", "framework", "native")) {
      try (FluxServer server =
          FluxServer.start(TrustingApp.class, "server.forward-headers-strategy=" + strategy)) {
        for (int i = 1; i <= 2; i++) {
          String[] caller = {"X-Forwarded-For", "198.51.100." + i};
          assertEquals(List.of(200, 200, 429), server.statuses(3, "/ip", caller), strategy);
        }
      }
    }
  }

  @Test
  void chargesTheHandlerOnceInAllLayersShowsTheAddressThatCountsAndFollowsAccessLists()
      throws Exception {
    try (FluxServer server =
        FluxServer.start(TrustingApp.class, "spring.web.resources.add-mappings=false")) {
      for (String each : List.of("2001:db8::1", "2001:DB8:0::2", "2001:db8:1::1")) {
        assertEquals(List.of(200), server.statuses(1, "/client", "X-Forwarded-For", each));
      }
      assertEquals(List.of(429), server.statuses(1, "/client", "X-Forwarded-For", "2001:db8::3"));
      assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/own"));
      for (String path : List.of("/client", "/free")) {
        assertEquals(
            List.of(403), server.statuses(1, path, "X-Forwarded-For", "203.0.113.9"), path);
        assertEquals(
            List.of(200, 200, 200),
            server.statuses(3, path, "X-Forwarded-For", "203.0.113.7"),
            path);
      }
      assertEquals(
          List.of(403, 403),
          server.statuses(2, "/answered/by/a/filter", "X-Forwarded-For", "203.0.113.9"));
      assertEquals(
          List.of(404), server.statuses(1, "/answered/by/a/filter", "X-Forwarded-For", "1.2.3.4"));
      for (int i = 0; i < 3; i++) {
        assertEquals(200, server.post("/own", "body").statusCode());
      }
      assertEquals(429, server.post("/own", "body").statusCode());
    }
  }

  @Test
  void knowsTheCallerInAnyThreadWhereReactorPropagatesContexts() throws Exception {
    Hooks.enableAutomaticContextPropagation();
    try (FluxServer server = FluxServer.start(TrustingApp.class)) {
      for (int i = 1; i <= 4; i++) {
        String[] caller = {"X-Forwarded-For", "198.51.100." + i};
        assertEquals(List.of(200, 429), server.statuses(2, "/elsewhere", caller));
      }
    } finally {
      Hooks.disableAutomaticContextPropagation();
    }
  }

  @Test
  void chargesNoCallerForChainsThatBelongToNoRequest() throws Exception {
    Hooks.enableAutomaticContextPropagation();
    try (FluxServer server = FluxServer.start(TrustingApp.class)) {
      String[] caller = {"X-Forwarded-For", "198.51.100.9"};
      assertEquals("aside", server.get("/aside", caller).body());
      assertEquals(List.of(200, 429), server.statuses(2, "/elsewhere", caller));
    } finally {
      Hooks.disableAutomaticContextPropagation();
    }
  }
}
