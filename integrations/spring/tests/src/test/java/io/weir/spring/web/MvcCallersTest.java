package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.adapter.Adapter;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Tries for what caller a request of Spring MVC counts, and what is left of it at its end. */
class MvcCallersTest {
  private static final String NOBODY = "192.0.2.1";

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({OpenSecurity.class, Endpoints.class})
  static class App {
    private static final String READ = "io.weir.test.read";

    @Bean
    ThreadPoolTaskExecutor oneThread() {
      ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
      executor.setCorePoolSize(1);
      executor.setMaxPoolSize(1);
      return executor;
    }

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
    try (MvcServer server = start()) {
      HttpResponse<String> reply =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(
                          URI.create("http://127.0.0.1:" + server.port() + "/by-body"))
                      .timeout(Duration.ofMinutes(1))
                      .header("Content-Type", "text/plain")
                      .POST(HttpRequest.BodyPublishers.ofString("body"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertEquals(200, reply.statusCode());
      assertEquals("body read", reply.body());
    }
  }
}
