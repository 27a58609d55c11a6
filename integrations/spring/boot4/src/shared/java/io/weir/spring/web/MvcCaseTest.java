package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.web.firewall.FirewalledRequest;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.util.AntPathMatcher;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;

/** Limits paths in the case in which callers write them, where Spring MVC ignores it. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class MvcCaseTest {
  private static final String[] LIMITS = {
    "weir.policy.searches.url=/Searches/*",
    "weir.policy.searches.limit=2",
    "weir.policy.searches.window=1h",
    "weir.policy.searches.except=/Searches/free",
    "weir.application.limit=1000",
    "weir.application.window=1h",
    "weir.application.except=/healthz,/actuator/health/*",
    "management.endpoint.health.probes.enabled=true",
    "weir.policy.api.url=/api/*",
    "weir.policy.api.limit=1000",
    "weir.policy.api.window=1h",
    "weir.policy.api.except=/api/status",
    "weir.policy.places.url=/nowhere/*",
    "weir.policy.places.limit=2",
    "weir.policy.places.window=1h",
    "weir.policy.places.by=KEY",
    "weir.policy.places.key=place"
  };

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({OpenSecurity.class, Searches.class})
  static class App {
    /** What rules match. */
    @Bean
    KeyResolver place() {
      return new KeyResolver() {
        @Override
        public Optional<String> resolve(RequestInfo request) {
          return Optional.of(request.endpoint());
        }
      };
    }
  }

  /** Lets Spring MVC read paths that Spring Security would refuse. */
  @Configuration(proxyBeanMethods = false)
  static class WithoutFirewall implements HttpFirewall {
    @Override
    public FirewalledRequest getFirewalledRequest(HttpServletRequest request) {
      return new FirewalledRequest(request) {
        @Override
        public void reset() {
          // nothing was changed
        }
      };
    }

    @Override
    public HttpServletResponse getFirewalledResponse(HttpServletResponse response) {
      return response;
    }
  }

  @RestController
  static class Searches {
    @GetMapping("/api/status")
    String status() {
      return "status";
    }

    @GetMapping("/api/{folder}/{file}/{part}")
    String file() {
      return "file";
    }

    @GetMapping("/searches/all")
    String all() {
      return "all";
    }

    @GetMapping("/searches/free")
    String free() {
      return "free";
    }

    @GetMapping("/healthz")
    void probe(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      if (request.getParameter("forward") != null) {
        request.getRequestDispatcher("/searches/free").forward(request, response);
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class ByPattern implements WebMvcConfigurer {
    @Override
    public void configurePathMatch(PathMatchConfigurer configurer) {
      PathPatternParser parser = new PathPatternParser();
      parser.setCaseSensitive(false);
      configurer.setPatternParser(parser);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class ByAntPath implements WebMvcConfigurer {
    @Override
    @SuppressWarnings({"deprecation", "removal"}) // applications of today have it
    public void configurePathMatch(PathMatchConfigurer configurer) {
      AntPathMatcher matcher = new AntPathMatcher();
      matcher.setCaseSensitive(false);
      configurer.setPathMatcher(matcher);
    }
  }

  private static List<Integer> statuses(MvcServer server, String... paths) throws Exception {
    String[] caller = MvcContract.caller();
    List<Integer> statuses = new ArrayList<>();
    for (String each : paths) {
      statuses.add(server.get(each, caller).status());
    }
    return statuses;
  }

  /** A probe is free by the pattern of its handler, in whatever case the caller writes it. */
  private static void assertLeavesOutProbes(MvcServer server, boolean ignoresCase)
      throws Exception {
    for (String probe : List.of("/healthz", "/actuator/health", "/actuator/health/liveness")) {
      MvcServer.Reply free = server.get(probe, MvcContract.caller());
      assertEquals("200 []", free.status() + " " + free.fields(), probe);
    }
    for (String other :
        List.of(
            "/HEALTHZ",
            "/actuator",
            "/healthz/x",
            "/healthz?forward",
            "/actuator/health?token=x",
            "/actuator/health/..%2f..%2fsearches/free",
            "/actuator/health/%2e%2e/%2e%2e/searches/free")) {
      MvcServer.Reply reply = server.get(other, MvcContract.caller());
      boolean isProbe = ignoresCase && other.equals("/HEALTHZ");
      if (reply.status() != 400) { // Spring Security and Tomcat reject some
        assertEquals(isProbe, reply.fields().isEmpty(), other + " " + reply.status());
      }
    }
    String[] guess = {"Authorization", "Basic eDp5"};
    assertFalse(server.get("/actuator/health/x", guess).fields().isEmpty());
    assertTrue(isCounted(server.get("/api/status", guess)));
  }

  /** Returns whether the policy for paths that begin with /api counts a request. */
  private static boolean isCounted(MvcServer.Reply reply) {
    return reply.field("RateLimit-Policy").orElse("").contains("\"api\"");
  }

  private static void assertLimitsEachCase(MvcServer server) throws Exception {
    assertLeavesOutProbes(server, true);
    assertEquals(
        List.of(200, 200, 200),
        statuses(server, "/searches/free", "/SEARCHES/FREE", "/searches/free"));
    assertEquals(
        List.of(200, 200, 429),
        statuses(server, "/searches/all", "/SEARCHES/ALL", "/sEarches/all"));
    assertEquals(
        List.of(404, 404, 429), statuses(server, "/nowhere/a", "/NOWHERE/a", "/nowhere/A"));
  }

  @Test
  void whereAParserOfPatternsIgnoresIt() throws Exception {
    try (MvcServer server = MvcServer.start(List.of(App.class, ByPattern.class), LIMITS)) {
      assertLimitsEachCase(server);
    }
  }

  @Test
  void whereAMatcherOfPathsIgnoresIt() throws Exception {
    try (MvcServer server =
        MvcServer.start(
            List.of(App.class, ByAntPath.class),
            Stream.concat(
                    Stream.of(LIMITS),
                    Stream.of("spring.mvc.pathmatch.matching-strategy=ant_path_matcher"))
                .toArray(String[]::new))) {
      assertLimitsEachCase(server);
    }
  }

  @Test
  void notWhereTheCaseCounts() throws Exception {
    try (MvcServer server = MvcServer.start(List.of(App.class, WithoutFirewall.class), LIMITS)) {
      assertLeavesOutProbes(server, false);
      assertFalse(isCounted(server.get("/api/status")));
      for (String up : List.of("..", "..;", "%2e%2e")) {
        MvcServer.Reply file = server.get("/api/files/" + up + "/status");
        assertEquals("file", file.body(), up);
        assertTrue(isCounted(file), up);
      }
      assertEquals(
          List.of(200, 200, 200),
          statuses(server, "/searches/all", "/searches/all", "/searches/all"));
      assertEquals(
          List.of(404, 404, 404), statuses(server, "/nowhere/a", "/nowhere/A", "/NOWHERE/a"));
    }
  }
}
