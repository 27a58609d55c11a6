package io.weir.micronaut.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthResult;
import io.weir.Weir;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class StoreHealthTest {
  private static Map<?, ?> details(Map<String, String> settings) {
    try (Weir weir = Weir.builder().settings(settings).build()) {
      HealthResult result = Mono.from(new StoreHealth(weir).getResult()).block();
      assertEquals(HealthStatus.UP, result.getStatus());
      return (Map<?, ?>) result.getDetails();
    }
  }

  @Test
  void regionsAreDetailsWhereThereAreAny() {
    assertEquals(null, details(Map.of()).get("regions"));
    assertEquals(
        Map.of("eu", "counts 40 % of each limit", "us", "counts 60 % of each limit"),
        details(
                Map.of(
                    "weir.region", "eu",
                    "weir.regions.mode", "shares",
                    "weir.regions.shares", "eu@40,us@60"))
            .get("regions"));
  }
}
