package io.weir.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthDetailsTest {
  private static Map<String, Object> details(Map<String, String> settings) {
    try (Weir weir = Weir.builder().onlyGivenSettings().settings(settings).build()) {
      return HealthDetails.of(weir);
    }
  }

  @Test
  void hasRegionsOnlyWhereThereAreAny() {
    Map<String, Object> alone =
        Map.of("store", "inprocess:", "storeState", "reachable", "nodes", 1);
    assertEquals(alone, details(Map.of()));
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
