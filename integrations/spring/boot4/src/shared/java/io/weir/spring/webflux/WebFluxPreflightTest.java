package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** OPTIONS that WebFlux answers itself are free without a credential alone. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class WebFluxPreflightTest {
  private static final String[] LIMITS = {
    "weir.policy.searches.url=/searches/*",
    "weir.policy.searches.limit=2",
    "weir.policy.searches.window=1h"
  };

  @Configuration(proxyBeanMethods = false)
  @FluxServer.WithWebFlux
  @Import(Searches.class)
  static class App {}

  @RestController
  static class Searches {
    @CrossOrigin("https://shop.example")
    @GetMapping("/searches/all")
    String all() {
      return "all";
    }
  }

  private static List<Integer> statuses(FluxServer server, int times, List<String> fields)
      throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(
          server.send("OPTIONS", "/searches/all", fields.toArray(String[]::new)).statusCode());
    }
    return statuses;
  }

  /** Else passwords could be tried by them without limit, where a filter judges these. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void credentialsAreNeverTriedWithoutLimit(boolean preflight) throws Exception {
    List<String> plain =
        preflight
            ? List.of("Origin", "https://shop.example", "Access-Control-Request-Method", "GET")
            : List.of();
    List<String> guessing = new ArrayList<>(plain);
    guessing.addAll(List.of("Authorization", "Basic Z3Vlc3M6MQ=="));
    try (FluxServer server = FluxServer.start(App.class, LIMITS)) {
      assertEquals(Collections.nCopies(4, 200), statuses(server, 4, plain));
      assertEquals(List.of(200, 200, 429), statuses(server, 3, guessing));
      assertEquals(List.of(200), statuses(server, 1, plain));
    }
  }
}
