package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.servlet.RateLimitFilter;
import io.weir.spring.web.MvcServer.Reply;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/**
 * One limit for a whole application, with a servlet beside Spring MVC, the filter of servlets, URL
 * patterns and a management port.
 */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class MvcApplicationLimitTest {
  @Configuration(proxyBeanMethods = false)
  static class Beside {
    @Bean
    ServletRegistrationBean<Plain> plain() {
      return new ServletRegistrationBean<>(new Plain(), "/plain/*");
    }
  }

  /** The filter of servlets within that of Spring MVC. */
  @Configuration(proxyBeanMethods = false)
  static class FilterInside {
    @Bean
    FilterRegistrationBean<RateLimitFilter> servletFilter() {
      FilterRegistrationBean<RateLimitFilter> registration =
          new FilterRegistrationBean<>(new RateLimitFilter());
      registration.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
      return registration;
    }
  }

  /** The filter of servlets around that of Spring MVC. */
  @Configuration(proxyBeanMethods = false)
  static class FilterAround extends FilterInside {
    @Override
    @Bean
    FilterRegistrationBean<RateLimitFilter> servletFilter() {
      FilterRegistrationBean<RateLimitFilter> registration = super.servletFilter();
      registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 100);
      return registration;
    }
  }

  /** A servlet, which may forward to a handler of Spring MVC. */
  static final class Plain extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "plain")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      if ("/forward".equals(request.getPathInfo())) {
        request.getRequestDispatcher("/target").forward(request, response);
      } else {
        response.getWriter().print("plain");
      }
    }
  }

  private static MvcServer start(Class<?>... more) {
    List<Class<?>> classes =
        new ArrayList<>(List.of(MvcApplication.class, OpenSecurity.class, Beside.class));
    classes.addAll(List.of(more));
    return MvcServer.start(
        classes,
        "weir.application.limit=4",
        "weir.application.window=1m",
        "weir.policy.paths.url=/free/*",
        "weir.policy.paths.limit=2",
        "weir.policy.paths.window=1m",
        // Spring Boot 4 defines the server of the management port once for each on the class path.
        "spring.main.allow-bean-definition-overriding=true",
        "management.server.port=0");
  }

  private static String[] caller() {
    return MvcContract.caller();
  }

  /** Checks that a caller has four requests, whatever they are for. */
  private static void assertFourRequests(MvcServer server, String... paths) throws Exception {
    String[] caller = caller();
    for (String each : paths) {
      Reply reply = server.get(each, caller);
      assertTrue(reply.status() != 429, () -> each + ": " + reply.headers() + reply.body());
    }
    Reply refused = server.get(paths[0], caller);
    assertEquals(429, refused.status());
    assertTrue(refused.body().contains("\"application\""), refused::body);
  }

  @Test
  void chargesOnceWithoutAnotherFilter() throws Exception {
    try (MvcServer server = start()) {
      assertFourRequests(server, "/ip", "/calls", "/lambda/1", "/items/a/parts/1");
      assertFourRequests(server, "/lambda/1", "/callable", "/forward", "/error");
      assertFourRequests(server, "/unmapped", "/unmapped", "/posted", "/missing");
      Reply plain = server.get("/plain", caller());
      assertEquals(List.of(), plain.fields(), "servlets have a filter of their own");
      limitsByUrl(server);
      for (String preflight : List.of("", "Access-Control-Request-Method")) {
        optionsCountWithCredentials(server, preflight);
      }
      leavesTheManagementPortAlone(server);
    }
  }

  private static void limitsByUrl(MvcServer server) throws Exception {
    String[] caller = caller();
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/free", caller));
  }

  /** Else passwords could be tried by them without limit, where a filter judges these. */
  private static void optionsCountWithCredentials(MvcServer server, String preflight)
      throws Exception {
    List<String> plain = new ArrayList<>(List.of(caller()));
    if (!preflight.isEmpty()) {
      plain.addAll(List.of("Origin", "https://shop.example", preflight, "GET"));
    }
    for (int i = 0; i < 5; i++) {
      Reply free = server.send("OPTIONS", "/free", plain.toArray(String[]::new));
      assertEquals(List.of(), free.fields(), () -> preflight + free.status());
    }
    List<String> guessing = new ArrayList<>(plain);
    guessing.addAll(List.of("Authorization", "Basic Z3Vlc3M6MQ=="));
    for (int i = 0; i < 2; i++) {
      Reply counted = server.send("OPTIONS", "/free", guessing.toArray(String[]::new));
      assertTrue(counted.status() != 429, preflight);
    }
    Reply refused = server.send("OPTIONS", "/free", guessing.toArray(String[]::new));
    assertEquals(429, refused.status(), preflight);
  }

  private static void leavesTheManagementPortAlone(MvcServer server) throws Exception {
    int port = server.port("local.management.port");
    String[] caller = caller();
    for (int i = 0; i < 6; i++) {
      Reply reply = server.send(port, "GET", "/actuator/health", caller);
      assertEquals(200, reply.status(), reply::body);
      assertEquals(List.of(), reply.fields());
    }
  }

  @Test
  void chargesOnceWithTheFilterOfServletsInside() throws Exception {
    try (MvcServer server = start(FilterInside.class)) {
      chargesOnceBeside(server);
    }
  }

  @Test
  void chargesOnceWithTheFilterOfServletsAround() throws Exception {
    try (MvcServer server = start(FilterAround.class)) {
      chargesOnceBeside(server);
    }
  }

  private static void chargesOnceBeside(MvcServer server) throws Exception {
    assertFourRequests(server, "/ip", "/callable", "/plain", "/unmapped");
    assertFourRequests(server, "/plain/forward", "/forward", "/items/a/parts/1", "/deferred");
    String[] caller = caller();
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/plain", caller));
    String[] forwarding = caller();
    assertEquals(
        List.of(200, 200, 429), server.statuses(3, "/plain/forward", forwarding), "of the target");
    String[] failing = caller();
    assertEquals(List.of(500, 500, 500, 429), server.statuses(4, "/unmapped", failing));
    limitsByUrl(server);
  }
}
