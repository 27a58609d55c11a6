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
    "weir.policy.searches.window=1h",
    "weir.policy.searches.except=/Searches/free",
    "weir.application.limit=1000",
    "weir.application.window=1h",
    "weir.application.except=/healthz,/health/*"
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

    @GetMapping({"/healthz", "/health/{part}", "/searches/free", "/other/{page}"})
    String free() {
      return "free";
    }
  }

  private static List<Integer> statuses(FluxServer server, String... paths) throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (String each : paths) {
      statuses.add(server.get(each).statusCode());
    }
    return statuses;
  }

  /** Lists the paths that no policy counts. */
  private static List<String> free(FluxServer server, String... paths) throws Exception {
    List<String> free = new ArrayList<>();
    for (String each : paths) {
      if (server.get(each).headers().firstValue("RateLimit").isEmpty()) {
        free.add(each);
      }
    }
    return free;
  }

  @Test
  void whereMappingsIgnoreIt() throws Exception {
    try (FluxServer server = FluxServer.start(IgnoringCase.class, LIMITS)) {
      List<String> probes = List.of("/healthz", "/HEALTHZ", "/health/live", "/healthz;a=b");
      assertEquals(probes, free(server, probes.toArray(String[]::new)));
      assertEquals(
          List.of(),
          free(
              server,
              "/other/healthz",
              "/searches/free",
              "/SEARCHES/FREE",
              "/other/..%2fhealthz",
              "/other/%2e%2e"));
      assertEquals(List.of(200, 200, 200), statuses(server, "/searches/free", "/SEARCHES/FREE", "/searches/free"));
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
