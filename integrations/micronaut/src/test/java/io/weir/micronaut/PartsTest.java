package io.weir.micronaut;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.store.SimulatedStore;
import jakarta.inject.Singleton;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Beans that are parts of the Weir, on a store that takes its time. */
class PartsTest {
  private static final BlockingQueue<String> ASKED = new LinkedBlockingQueue<>();
  private static ShopServer server;

  @Requires(property = "test.parts")
  @Controller("/parts")
  static class Endpoints {
    @Get
    @RateLimit(
        limit = 1,
        window = 60,
        by = By.IP,
        tiers = @Tier(name = "gold", limit = 2),
        name = "tiered")
    String thread() {
      return Thread.currentThread().getName();
    }
  }

  /** Its methods are called in an event loop. */
  @Requires(property = "test.parts")
  @Singleton
  static class Later {
    @RateLimit(
        limit = 1,
        window = 60,
        by = By.IP,
        tiers = @Tier(name = "gold", limit = 2),
        name = "tiered-stage")
    CompletionStage<String> stage() {
      return CompletableFuture.completedFuture("stage");
    }

    @RateLimit(
        limit = 1,
        window = 60,
        by = By.IP,
        tiers = @Tier(name = "gold", limit = 2),
        name = "tiered-mono")
    Mono<String> mono() {
      return Mono.just("mono");
    }
  }

  @Requires(property = "test.parts")
  @Controller("/parts/later")
  static class Calls {
    private final Later later;

    Calls(Later later) {
      this.later = later;
    }

    @Get("/stage")
    CompletionStage<String> stage() {
      return later.stage();
    }

    @Get("/mono")
    Mono<String> mono() {
      return later.mono();
    }
  }

  @Requires(property = "test.parts")
  @Singleton
  static class Tiers implements TierResolver {
    @Override
    public CallerTier resolve(RequestInfo request, Policy policy) {
      if (Schedulers.isInNonBlockingThread()) {
        ASKED.add(Thread.currentThread().getName());
      }
      return request.headers("X-Gold").isEmpty() ? CallerTier.none() : CallerTier.named("gold");
    }
  }

  /** Answers a moment later, by a thread of its own. */
  @Requires(property = "test.parts")
  @Singleton
  static class SlowStore implements PermitStore {
    private static final Executor LATER =
        CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS);

    private final SimulatedStore store;

    SlowStore(FakeTicker ticker) {
      store = new SimulatedStore(ticker::epochMicros);
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return CompletableFuture.supplyAsync(() -> store.execute(claims), LATER)
          .thenCompose(each -> each);
    }

    @Override
    public long size() {
      return store.size();
    }

    @Override
    public void close() {
      store.close();
    }
  }

  @Requires(property = "test.parts")
  @Factory
  static class Meters {
    @Singleton
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }
  }

  @BeforeAll
  static void start() {
    server =
        new ShopServer(
            Map.of(
                "test.parts", "true",
                "weir.access.deny", "203.0.113.66",
                "micronaut.security.intercept-url-map[1].pattern", "/**",
                "micronaut.security.intercept-url-map[1].access", "isAnonymous()",
                "endpoints.health.details-visible", "ANONYMOUS"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void decidesWithoutBlockingAnEventLoop() throws Exception {
    HttpResponse<String> admitted = server.get("/parts", "203.0.113.1");
    assertEquals(200, admitted.statusCode());
    assertTrue(admitted.body().contains("eventLoop"), admitted.body());
    assertEquals(429, server.get("/parts", "203.0.113.1").statusCode());
    assertEquals(List.of(), List.copyOf(ASKED));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/parts/later/stage", "/parts/later/mono"})
  void asksABeanForTheTierOfACallOutsideOfTheEventLoop(String path) throws Exception {
    for (int status : List.of(200, 200, 429)) {
      assertEquals(
          status,
          server.send(server.request(path, "203.0.113.9").header("X-Gold", "yes")).statusCode());
    }
    assertEquals(200, server.get(path, "203.0.113.8").statusCode());
    assertEquals(429, server.get(path, "203.0.113.8").statusCode());
    assertEquals(List.of(), List.copyOf(ASKED));
  }

  @Test
  void asksABeanForTiers() throws Exception {
    for (int status : List.of(200, 200, 429)) {
      assertEquals(
          status,
          server
              .send(server.request("/parts", "203.0.113.2").header("X-Gold", "yes"))
              .statusCode());
    }
  }

  @Test
  void measuresIntoTheMeterRegistry() throws Exception {
    server.get("/parts", "203.0.113.3");
    assertFalse(
        server.bean(MeterRegistry.class).find("weir.decisions").counters().isEmpty(),
        () -> server.bean(MeterRegistry.class).getMeters().toString());
  }

  @Test
  void reportsTheStoreAsADetailOfTheHealth() throws Exception {
    String health = server.get("/health", "203.0.113.4").body();
    assertTrue(health.contains("\"storeState\":\"reachable\""), health);
  }

  @Test
  void anAccessListDeniesEveryRequest() throws Exception {
    for (String path : List.of("/parts", "/nowhere", "/shop/stock/tea")) {
      assertEquals(403, server.get(path, "203.0.113.66").statusCode(), path);
    }
  }
}
