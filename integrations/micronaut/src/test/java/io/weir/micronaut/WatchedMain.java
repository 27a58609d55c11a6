package io.weir.micronaut;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import io.weir.test.threads.EventLoopWatch;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * Runs applications whose event loops are watched: the store is a real Redis, and the tier resolver
 * of the second one blocks.
 */
final class WatchedMain {
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI base;

  private WatchedMain(URI base) {
    this.base = base;
  }

  @Requires(property = "test.watched")
  @Controller("/watched")
  @Secured(SecurityRule.IS_ANONYMOUS)
  static class Watched {
    private final Mailer mailer;

    Watched(Mailer mailer) {
      this.mailer = mailer;
    }

    @Get("/ip")
    @RateLimit(limit = 3, window = 600, by = By.IP, name = "ip")
    @RateLimit(limit = 3, window = 600, by = By.USER, name = "user")
    String ip() {
      return "ip on " + Thread.currentThread().getName();
    }

    @Get("/mail")
    Mono<String> mail() {
      return mailer.send();
    }

    @Post(value = "/json")
    @RateLimit(
        limit = 2,
        window = 600,
        by = {By.KEY, By.IP},
        key = "json:/user",
        name = "json")
    String json(@Body Map<String, Object> order) {
      return "user " + order.get("user");
    }

    @Post(value = "/form", consumes = MediaType.APPLICATION_FORM_URLENCODED)
    @RateLimit(
        limit = 2,
        window = 600,
        by = {By.KEY, By.IP},
        key = "form:user",
        name = "form")
    String form(String user) {
      return "user " + user;
    }

    /** Shows that what blocks is seen. */
    @Get("/blocks")
    String blocks() {
      block();
      return "blocked";
    }
  }

  @Requires(property = "test.watched")
  @Singleton
  static class Mailer {
    @RateLimit(limit = 3, window = 600, by = By.IP, name = "mail")
    Mono<String> send() {
      return Mono.just("sent");
    }
  }

  @Requires(property = "test.watched", value = "true")
  @Singleton
  static class BlockingTiers implements TierResolver {
    @Override
    public CallerTier resolve(RequestInfo request, Policy policy) {
      block();
      return CallerTier.none();
    }
  }

  private static void block() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] unused) throws Exception {
    initialize();
    EventLoopWatch.install();
    for (String tiers : List.of("false", "true")) {
      watch(tiers);
    }
    System.exit(0);
  }

  /** Has Micronaut read what it reads once, with the first response, in an event loop. */
  private static void initialize() throws Exception {
    Map<String, Object> properties =
        Map.of("micronaut.server.port", -1, "test.watched", "false", "weir.enabled", "false");
    try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, properties)) {
      WatchedMain caller = new WatchedMain(server.getURI());
      var unused = caller.send(caller.request("/watched/ip", "192.0.2.1"));
    }
  }

  private static void watch(String tiers) throws Exception {
    Map<String, Object> properties =
        Map.of(
            "micronaut.server.port",
            -1,
            "micronaut.server.host",
            "127.0.0.1",
            "test.watched",
            tiers,
            "weir.proxy.trusted",
            "127.0.0.1",
            "weir.store",
            System.getProperty("weir.test.store"),
            "weir.store.timeout",
            "10s");
    try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, properties)) {
      WatchedMain caller = new WatchedMain(server.getURI());
      String network = tiers.equals("true") ? "192.0.2." : "198.51.100."; // both use one Redis
      for (int i = 1; i <= 6; i++) {
        String address = network + i;
        expect(List.of(200, 200, 200, 429, 429), caller.get(5, "/watched/ip", address));
        expect(List.of(200, 200, 200, 429, 429), caller.get(5, "/watched/mail", address));
        String json = "{\"user\":\"ann\"}";
        String large = "{\"padding\":\"" + "a".repeat(20_000) + "\",\"user\":\"ann\"}";
        expect(
            List.of(200, 200, 429),
            caller.post("/watched/json", MediaType.APPLICATION_JSON, address, json, large, json));
        expect(
            List.of(200, 200, 429, 400),
            caller.post(
                "/watched/form",
                MediaType.APPLICATION_FORM_URLENCODED,
                address,
                "user=ann",
                "user=%61nn",
                "user=ann",
                "user=ann&user=bob"));
      }
      String where = caller.send(caller.request("/watched/ip", network + 100)).body();
      if (!where.contains("eventLoop")) {
        throw new AssertionError("handlers run in another thread: " + where);
      }
      EventLoopWatch.report(
          tiers, () -> caller.send(caller.request("/watched/blocks", network + 1)));
    }
  }

  private HttpRequest.Builder request(String path, String address) {
    return HttpRequest.newBuilder(base.resolve(path)).header("X-Forwarded-For", address);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private List<Integer> get(int times, String path, String address) throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(send(request(path, address)).statusCode());
    }
    return statuses;
  }

  private List<Integer> post(String path, String type, String address, String... bodies)
      throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (String each : bodies) {
      HttpRequest.Builder request =
          request(path, address)
              .header("Content-Type", type)
              .POST(HttpRequest.BodyPublishers.ofString(each));
      statuses.add(send(request).statusCode());
    }
    return statuses;
  }

  private static void expect(List<Integer> expected, List<Integer> found) {
    if (!expected.equals(found)) {
      throw new AssertionError("expected " + expected + ", but found " + found);
    }
  }
}
