package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
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
    "weir.application.except=/healthz,/health/*",
    "weir.policy.all.url=/*",
    "weir.policy.all.limit=1000",
    "weir.policy.all.window=1h",
    "weir.policy.all.except=/healthz,/health/*,/other/x"
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

    @GetMapping({"/healthz", "/health/{part}", "/searches/free", "/other/{page}", "/{code}"})
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
              "/health/live?api_key=x",
              "/other/%2e%2e"));
      for (String other : List.of("/other%2Fx", "/health%2Flive")) {
        HttpResponse<String> code = server.get(other);
        assertEquals(200, code.statusCode(), other);
        String policies = code.headers().firstValue("RateLimit-Policy").orElse("");
        assertTrue(policies.contains("\"all\""), other + " " + policies);
      }
      for (String[] fields :
          List.of(new String[] {"Authorization", "Basic eDp5"}, new String[] {"Cookie", "a=b"})) {
        assertEquals(
            fields[0].equals("Cookie"),
            server.get("/health/live", fields).headers().firstValue("RateLimit").isEmpty(),
            fields[0]);
      }
      assertEquals(
          List.of(200, 200, 200),
          statuses(server, "/searches/free", "/SEARCHES/FREE", "/searches/free"));
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
