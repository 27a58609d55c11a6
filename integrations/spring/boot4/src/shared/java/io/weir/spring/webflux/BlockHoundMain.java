package io.weir.spring.webflux;

import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.bodies.HostileBody;
import io.weir.spi.CallerTier;
import io.weir.spi.TierResolver;
import io.weir.test.threads.EventLoopWatch;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Runs an application whose event loops are watched by BlockHound, in a process of its own: the
 * store is a real Redis, and the tier resolver of the second application blocks. Prints what has
 * blocked.
 */
final class BlockHoundMain {
  private BlockHoundMain() {}

  @Configuration(proxyBeanMethods = false)
  @FluxServer.WithWebFlux
  @Import({Watched.class, SignIn.class})
  static class App {
    @Bean
    Weir weir(@Value("${watched.tiers}") boolean tiers) {
      WeirBuilder weir =
          Weir.builder()
              .settings(
                  Map.of(
                      "weir.proxy.trusted",
                      "127.0.0.1",
                      "weir.store",
                      System.getProperty("weir.test.store"),
                      "weir.store.timeout",
                      "10s"));
      if (tiers) {
        weir.tierResolver(blocking());
      }
      return weir.build();
    }

    private static TierResolver blocking() {
      return (request, policy) -> {
        try {
          Thread.sleep(1);
        } catch (InterruptedException stopped) {
          Thread.currentThread().interrupt();
        }
        return CallerTier.none();
      };
    }
  }

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
  static class Watched {
    @GetMapping("/ip")
    @RateLimit(limit = 3, window = 600, by = By.IP, name = "ip")
    @RateLimit(limit = 3, window = 600, by = By.USER, name = "user")
    Mono<String> ip() {
      return Mono.just("ip on " + Thread.currentThread().getName());
    }

    @GetMapping("/failures")
    @RateLimit(limit = 3, window = 600, by = By.IP, count = Count.FAILURES, name = "failures")
    String failures(@RequestParam int status) {
      if (status == 422) {
        throw new IllegalArgumentException();
      }
      return "fine";
    }

    @PostMapping("/account")
    @RateLimit(
        limit = 3,
        window = 600,
        by = {By.KEY, By.IP},
        key = "form:user|json:/user",
        name = "account")
    Mono<Integer> account(ServerWebExchange exchange) {
      return DataBufferUtils.join(exchange.getRequest().getBody())
          .map(
              body -> {
                int length = body.readableByteCount();
                DataBufferUtils.release(body);
                return length;
              });
    }

    /** Shows that BlockHound sees what blocks. */
    @GetMapping("/blocks")
    String blocks() throws InterruptedException {
      Thread.sleep(1);
      return "blocked";
    }

    @ExceptionHandler
    ResponseEntity<String> map(IllegalArgumentException expected) {
      return ResponseEntity.status(422).body("unprocessable");
    }
  }

  public static void main(String[] unused) throws Exception {
    EventLoopWatch.install();
    for (String tiers : List.of("false", "true")) {
      watch(tiers);
    }
    System.exit(0);
  }

  private static void watch(String tiers) throws Exception {
    try (FluxServer server = FluxServer.start(App.class, "watched.tiers=" + tiers)) {
      String network = tiers.equals("true") ? "192.0.2." : "198.51.100."; // both use one Redis
      for (int i = 1; i <= 6; i++) {
        String[] caller = {"X-Forwarded-For", network + i, "X-User", tiers + "-" + i};
        expect(List.of(200, 200, 200, 429, 429), server.statuses(5, "/ip", caller));
        expect(List.of(200, 200, 200, 200), server.statuses(4, "/failures?status=200", caller));
        expect(List.of(422, 422, 422, 429), server.statuses(4, "/failures?status=422", caller));
      }
      List<HostileBody> bodies =
          List.of(
              new HostileBody(HostileBody.FORM, "user=ann"),
              new HostileBody(HostileBody.JSON, "{\"user\":\"ann\"}"),
              new HostileBody(HostileBody.MULTIPART, HostileBody.PART.replace("%s", "user")),
              new HostileBody(HostileBody.FORM, "user=%61nn"),
              new HostileBody(HostileBody.FORM, "user=user"),
              new HostileBody(HostileBody.FORM, "user=ann&user=bob"),
              new HostileBody(HostileBody.FORM, "a".repeat(70_000)));
      expect(List.of(200, 200, 200, 200, 200, 400, 413), statuses(server, bodies, network + "99"));
      expect(List.of(429, 200, 429), statuses(server, bodies.subList(1, 4), network + "99"));
      HttpResponse<String> where = server.get("/ip", "X-Forwarded-For", network + "100");
      if (!where.body().contains("reactor-http")) {
        throw new AssertionError("handlers run in another thread: " + where.body());
      }
      EventLoopWatch.report(tiers, () -> server.get("/blocks"));
    }
  }

  private static List<Integer> statuses(FluxServer server, List<HostileBody> bodies, String address)
      throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (HostileBody each : bodies) {
      String[] fields = {"Content-Type", each.type(), "X-Forwarded-For", address};
      statuses.add(server.post("/account", each.body(), fields).statusCode());
    }
    return statuses;
  }

  private static void expect(List<Integer> expected, List<Integer> found) {
    if (!expected.equals(found)) {
      throw new AssertionError("expected " + expected + ", but found " + found);
    }
  }
}
