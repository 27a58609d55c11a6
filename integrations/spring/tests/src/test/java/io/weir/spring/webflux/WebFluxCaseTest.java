package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.PathMatchConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/** Limits paths in the case in which callers write them, where WebFlux ignores it. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class WebFluxCaseTest {
  private static final String[] LIMITS = {
    "weir.policy.searches.url=/Searches/*",
    "weir.policy.searches.limit=2",
    "weir.policy.searches.window=1h"
  };

  @Configuration(proxyBeanMethods = false)
  @FluxServer.WithWebFlux
  @Import(Searches.class)
  static class App {}

  @Configuration(proxyBeanMethods = false)
  @Import(App.class)
  static class IgnoringCase implements WebFluxConfigurer {
    @Override
    public void configurePathMatching(PathMatchConfigurer configurer) {
      configurer.setUseCaseSensitiveMatch(false);
    }
  }

  @RestController
  static class Searches {
    @GetMapping("/searches/all")
    String all() {
      return "all";
    }
  }

  private static List<Integer> statuses(FluxServer server, String... paths) throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (String each : paths) {
      statuses.add(server.get(each).statusCode());
    }
    return statuses;
  }

  @Test
  void whereMappingsIgnoreIt() throws Exception {
    try (FluxServer server = FluxServer.start(IgnoringCase.class, LIMITS)) {
      assertEquals(
          List.of(200, 200, 429),
          statuses(server, "/searches/all", "/SEARCHES/ALL", "/sEarches/all"));
      assertEquals(429, server.get("/SEARCHES/nowhere").statusCode());
    }
  }

  @Test
  void notWhereTheCaseCounts() throws Exception {
    try (FluxServer server = FluxServer.start(App.class, LIMITS)) {
      assertEquals(
          List.of(200, 200, 200),
          statuses(server, "/searches/all", "/searches/all", "/searches/all"));
    }
  }
}
