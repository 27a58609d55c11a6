package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.adapter.Adapter;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Tries for what caller a request of Spring MVC counts, and what is left of it at its end. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class MvcCallersTest {
  private static final String NOBODY = "192.0.2.1";

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({OpenSecurity.class, Endpoints.class})
  static class App {
    @Bean
    KeyResolver client() {
      return RequestInfo::address;
    }

    @Bean
    ThreadPoolTaskExecutor oneThread() {
      ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
      executor.setCorePoolSize(1);
      executor.setMaxPoolSize(1);
      return executor;
    }

    @Bean
    FilterRegistrationBean<BodyReader> bodyReader() {
      FilterRegistrationBean<BodyReader> registration =
          new FilterRegistrationBean<>(new BodyReader());
      registration.setOrder(-101); // between Weir and Spring Security
      registration.addUrlPatterns("/hooks/*");
      return registration;
    }
  }

  /** Checks the body, as a filter that verifies signatures does. */
  static final class BodyReader extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      byte[] body = request.getInputStream().readAllBytes();
      response.setHeader("X-Body", new String(body, StandardCharsets.US_ASCII));
      chain.doFilter(request, response);
    }
  }

  /** Without Spring Security, which in some versions asks the mappings itself. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      excludeName = {
        "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
        "org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration",
        "org.springframework.boot.actuate.autoconfigure.security.servlet"
            + ".ManagementWebSecurityAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.web.servlet"
            + ".SecurityFilterAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.web.servlet"
            + ".ServletWebSecurityAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.actuate.web.servlet"
            + ".ManagementWebSecurityAutoConfiguration"
      })
  static class ByBody {
    private static final String READ = "io.weir.test.read";

    /** Finds its handler by the body, which it keeps for it. */
    @Bean
    RouterFunction<ServerResponse> byBody() {
      return RouterFunctions.route()
          .POST(
              "/by-body",
              request -> read(request).equals("body"),
              request ->
                  ServerResponse.ok().body(request.servletRequest().getAttribute(READ) + " read"))
          .build();
    }

    private static String read(ServerRequest request) {
      try {
        String body = request.body(String.class);
        request.servletRequest().setAttribute(READ, body);
        return body;
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      } catch (ServletException failure) {
        throw new IllegalStateException(failure);
      }
    }
  }

  @RestController
  static class Endpoints {
    /** Static, since this controller may be behind a proxy, which has no fields. */
    private static final CountDownLatch ANSWERED = new CountDownLatch(1);

    private final AsyncTaskExecutor oneThread;

    Endpoints(ThreadPoolTaskExecutor oneThread) {
      this.oneThread = oneThread;
    }

    @GetMapping("/by-address")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "by-address")
    String byAddress() {
      return "counted";
    }

    @GetMapping("/client")
    @RateLimit(limit = 2, window = 60, by = By.KEY, key = "client", name = "client")
    String client() {
      return "client";
    }

    /** Mapped by a parameter, so Spring reads the parameters of all requests that are posted. */
    @PostMapping(path = "/elsewhere", params = "x")
    String elsewhere() {
      return "elsewhere";
    }

    @PostMapping("/hooks/{id}")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "hooks")
    String hook() {
      return "hook";
    }

    @PostMapping(path = "/forms/{id}", params = "chosen")
    @RateLimit(limit = 4, window = 60, by = By.IP, name = "chosen")
    String chosen() {
      return "chosen";
    }

    @PostMapping("/forms/{id}")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "not-chosen")
    String notChosen() {
      return "not chosen";
    }

    @GetMapping("/too-long")
    @RateLimit(limit = 100, window = 60, by = By.IP, name = "too-long")
    WebAsyncTask<String> tooLong() {
      return new WebAsyncTask<>(
          100L,
          oneThread,
          () -> {
            awaitAnswer();
            return "too late";
          });
    }

    /** Waits on, though Spring interrupts it at the time-out. */
    private void awaitAnswer() {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (ANSWERED.getCount() > 0 && System.nanoTime() < end) {
        try {
          if (ANSWERED.await(60, TimeUnit.SECONDS)) {
            return;
          }
        } catch (InterruptedException timedOut) {
          // The task doesn't end by that.
        }
      }
    }
  }

  private static MvcServer start(String... settings) {
    return MvcServer.start(List.of(App.class), settings);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "framework"})
  void believesNoForwardedFieldsWhateverSpringDoesWithThem(String strategy) throws Exception {
    try (MvcServer server =
        start("server.forward-headers-strategy=" + strategy, "weir.proxy.trusted=" + NOBODY)) {
      List<Integer> statuses = new ArrayList<>();
      for (int i = 1; i <= 3; i++) {
        String forged = "198.51.100." + i;
        statuses.add(
            server
                .get("/by-address", "X-Forwarded-For", forged, "Forwarded", "for=" + forged)
                .status());
      }
      assertEquals(List.of(200, 200, 429), statuses);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "framework"})
  void believesTrustedProxiesWhateverSpringDoesWithTheirFields(String strategy) throws Exception {
    try (MvcServer server = start("server.forward-headers-strategy=" + strategy)) {
      for (int i = 1; i <= 2; i++) {
        List<Integer> statuses = new ArrayList<>();
        for (int forged = 1; forged <= 3; forged++) {
          String chain = "203.0.113." + forged + ", 198.51.100." + i;
          statuses.add(server.get("/by-address", "X-Forwarded-For", chain).status());
        }
        assertEquals(List.of(200, 200, 429), statuses);
      }
      List<Integer> read = new ArrayList<>();
      for (String each : List.of("2001:db8::1", "2001:DB8:0::2", "2001:db8::3", "2001:db8:1::1")) {
        read.add(server.get("/client", "X-Forwarded-For", each).status());
      }
      assertEquals(List.of(200, 200, 429, 200), read);
    }
  }

  @Test
  void leavesNoCallerInTheThreadOfATaskThatEndsAfterItsRequest() throws Exception {
    try (MvcServer server = start()) {
      assertEquals(503, server.get("/too-long").status());
      // By the same connection, so the container has done with the first request.
      assertEquals(200, server.get("/by-address").status());
      Endpoints.ANSWERED.countDown();
      Adapter adapter = server.context().getBean(Adapter.class);
      assertFalse(
          server
              .context()
              .getBean(ThreadPoolTaskExecutor.class)
              .submit(() -> adapter.currentRequest().isPresent())
              .get(60, TimeUnit.SECONDS));
    }
  }

  @Test
  void leavesTheBodyToAMappingThatReadsIt() throws Exception {
    try (MvcServer server =
        MvcServer.start(
            List.of(ByBody.class), "weir.application.limit=2", "weir.application.window=1m")) {
      for (int i = 0; i < 2; i++) {
        HttpResponse<String> reply = post(server, "/by-body", "text/plain", "body");
        assertEquals(200, reply.statusCode());
        assertEquals("body read", reply.body());
      }
      // Charged once, though its handler is found later.
      assertEquals(429, post(server, "/by-body", "text/plain", "body").statusCode());
    }
  }

  private static HttpResponse<String> post(
      MvcServer server, String path, String contentType, String body) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofMinutes(1))
                .header("Content-Type", contentType)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void leavesFormsToFiltersThoughOtherMappingsGoByParameters() throws Exception {
    try (MvcServer server = start()) {
      for (String type :
          List.of("application/x-www-form-urlencoded", "multipart/form-data; boundary=x")) {
        HttpResponse<String> reply = post(server, "/hooks/" + type.length(), type, "a=b&c=d");
        assertEquals(200, reply.statusCode(), reply::body);
        assertEquals("a=b&c=d", reply.headers().firstValue("X-Body").orElse(""));
      }
      HttpResponse<String> refused =
          post(server, "/hooks/3", "application/x-www-form-urlencoded", "a=b");
      assertEquals(429, refused.statusCode());
      assertTrue(refused.headers().firstValue("X-Body").isEmpty(), "refused before the filter");
    }
  }

  @Test
  void limitsTheHandlerThatTheFormChooses() throws Exception {
    try (MvcServer server = start()) {
      String form = "application/x-www-form-urlencoded";
      List<String> replies = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        replies.add(post(server, "/forms/1", form, "chosen=yes").body());
        replies.add(post(server, "/forms/1?chosen=yes", form, "other=yes").body());
      }
      assertEquals(
          List.of("chosen", "chosen", "chosen", "chosen"), replies.stream().limit(4).toList());
      assertTrue(replies.get(4).contains("\"chosen\""), () -> replies.toString());
      for (int i = 0; i < 3; i++) {
        assertEquals(200, post(server, "/forms/1", form, "other=yes").statusCode());
      }
      assertEquals(429, post(server, "/forms/1", form, "other=yes").statusCode());
    }
  }
}
