package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

  @RestController
  static class Searches {
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
            "/actuator/health/..%2f..%2fsearches/free",
            "/actuator/health/%2e%2e/%2e%2e/searches/free")) {
      MvcServer.Reply reply = server.get(other, MvcContract.caller());
      boolean isProbe = ignoresCase && other.equals("/HEALTHZ");
      // Spring Security and Tomcat reject some before they are dispatched.
      boolean isFree = isProbe || reply.status() == 400;
      assertEquals(isFree, reply.fields().isEmpty(), other + " " + reply.status());
    }
  }

  private static void assertLimitsEachCase(MvcServer server) throws Exception {
    assertLeavesOutProbes(server, true);
    assertEquals(
        List.of(200, 200, 200), statuses(server, "/searches/free", "/SEARCHES/FREE", "/searches/free"));
    assertEquals(
        List.of(200, 200, 429), statuses(server, "/searches/all", "/SEARCHES/ALL", "/sEarches/all"));
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
                    Stream.of(
                        "spring.mvc.pathmatch.matching-strategy=ant_path_matcher"))
                .toArray(String[]::new))) {
      assertLimitsEachCase(server);
    }
  }

  @Test
  void notWhereTheCaseCounts() throws Exception {
    try (MvcServer server = MvcServer.start(List.of(App.class), LIMITS)) {
      assertLeavesOutProbes(server, false);
      assertEquals(
          List.of(200, 200, 200), statuses(server, "/searches/all", "/searches/all", "/searches/all"));
      assertEquals(
          List.of(404, 404, 404), statuses(server, "/nowhere/a", "/nowhere/A", "/NOWHERE/a"));
    }
  }
}
