package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.quarkus.health.StoreHealth;
import java.time.Duration;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.Test;

class StoreHealthTest {
  private static final Map<String, String> NOBODY_LISTENS =
      Map.of("weir.store", "redis://127.0.0.1:1", "weir.secret", "of all nodes, and long enough");

  @Test
  void staysUpWhileTheStoreIsAway() throws Exception {
    Policy policy = Policy.builder("p").limit(1).window(Duration.ofMinutes(1)).build();
    try (Weir weir = Weir.builder().onlyGivenSettings().settings(NOBODY_LISTENS).build()) {
      Waiting.until(
          "a failure of the store",
          () -> {
            var unused = weir.limiter().tryAcquire(policy, Key.of("k"));
            return weir.isStoreAway();
          });
      HealthCheckResponse health = new StoreHealth(weir).call();
      assertEquals(HealthCheckResponse.Status.UP, health.getStatus());
      Map<String, Object> data = health.getData().orElseThrow();
      assertEquals("away", data.get("storeState"));
      assertEquals("without the store, by onStoreFailure of each policy", data.get("decisions"));
      assertEquals(1L, data.get("nodes"));
    }
  }

  @Test
  void regionsAreDetails() {
    Map<String, String> two =
        Map.of(
            "weir.region", "eu",
            "weir.regions.mode", "shares",
            "weir.regions.shares", "eu@40,us@60");
    try (Weir weir = Weir.builder().onlyGivenSettings().settings(two).build()) {
      Map<String, Object> data = new StoreHealth(weir).call().getData().orElseThrow();
      assertEquals("counts 40 % of each limit", data.get("regions.eu"));
      assertEquals("counts 60 % of each limit", data.get("regions.us"));
    }
  }

  @Test
  void regionsAreFieldsWhereThereAreAny() {
    Map<String, String> settings =
        Map.of(
            "weir.region", "eu",
            "weir.regions.mode", "shares",
            "weir.regions.shares", "eu@40,us@60");
    try (Weir weir = Weir.builder().onlyGivenSettings().settings(settings).build()) {
      HealthCheckResponse health = new StoreHealth(weir).call();
      assertEquals(HealthCheckResponse.Status.UP, health.getStatus());
      Map<String, Object> expected =
          Map.of(
              "store", "inprocess:",
              "storeState", "reachable",
              "nodes", 1L,
              "regions.eu", "counts 40 % of each limit",
              "regions.us", "counts 60 % of each limit");
      assertEquals(expected, health.getData().orElseThrow());
    }
  }
}
