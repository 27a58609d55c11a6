package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spring.web.MvcServer.Reply;
import io.weir.testkit.FakeTicker;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Limits sign-ins where a form in the body may choose the handler, which isn't read before them.
 */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class MvcFormsTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static MvcServer server;

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class App {
    @Bean
    FakeTicker ticker() {
      return new FakeTicker();
    }

    @Bean
    FilterRegistrationBean<SignIn> signIn() {
      return new FilterRegistrationBean<>(new SignIn());
    }

    @Bean
    Handlers handlers() {
      return new Handlers();
    }

    /** Asks for a parameter before the path, of each request. */
    @Bean
    RouterFunction<ServerResponse> routes() {
      return RouterFunctions.route()
          .route(
              RequestPredicates.param("legacy", any -> true).and(RequestPredicates.POST("/legacy")),
              request -> ServerResponse.ok().body("legacy"))
          .build();
    }
  }

  /** Rejects wrong passwords. */
  static final class SignIn extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      if (request.getHeader("X-Password").equals("right")) {
        chain.doFilter(request, response);
      } else {
        response.setStatus(401);
      }
    }
  }

  @RestController
  static class Handlers {
    @PostMapping("/alone/{id}")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "alone")
    String alone() {
      return "alone";
    }

    @PostMapping("/pay/{id}")
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "path:id", name = "pay")
    String pay() {
      return "pay";
    }

    @PostMapping(path = "/pay/{id}", params = "draft")
    String draft(@PathVariable("id") String id) {
      return "draft";
    }

    @PostMapping("/both/{id}")
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "path:id", name = "three")
    String three() {
      return "three";
    }

    @PostMapping(path = "/both/{name}", params = "five")
    @RateLimit(limit = 5, window = 60, by = By.KEY, key = "path:name", name = "five")
    String five(@PathVariable("name") String name) {
      return "five";
    }

    @PostMapping(path = "/only/{id}", params = "one")
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "path:id", name = "only")
    String only(@PathVariable("id") String id) {
      return "only";
    }
  }

  @BeforeAll
  static void start() {
    server = MvcServer.start(List.of(App.class, OpenSecurity.class));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> post(String path, String password, String form)
      throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .timeout(Duration.ofMinutes(1))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("X-Password", password)
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static List<Integer> statuses(int times, String path, String password, String form)
      throws IOException, InterruptedException {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(post(path, password, form).statusCode());
    }
    return statuses;
  }

  @ParameterizedTest
  @ValueSource(strings = {"/alone/a", "/pay/a", "/only/a"})
  void countsWrongPasswordsOfForms(String path) throws Exception {
    assertEquals(List.of(401, 401, 401, 429, 429), statuses(5, path, "wrong", "one=two"));
    assertEquals(429, post(path, "right", "one=two").statusCode());
  }

  @Test
  void countsAWrongPasswordAtAllThatTheFormMayChoose() throws Exception {
    assertEquals(
        List.of(401, 401, 401, 401, 401, 429, 429), statuses(7, "/both/a", "wrong", "x=y"));
  }

  @Test
  void givesBackWhatTheHandlerDoesNotCount() throws Exception {
    assertEquals(List.of(200, 200, 200), statuses(3, "/pay/b", "right", "draft=1"));
    assertEquals(List.of(200, 200, 200, 429), statuses(4, "/pay/b", "right", "x=y"));
    assertEquals(List.of(200, 200, 200), statuses(3, "/both/b", "right", "x=y"));
    HttpResponse<String> refused = post("/both/b", "right", "x=y");
    assertTrue(refused.body().contains("\"violated-policies\":[\"three\"]"), refused::body);
    assertEquals(List.of(200, 200, 200, 200, 200), statuses(5, "/both/b", "right", "five=1"));
    assertEquals(429, post("/both/b", "right", "five=1").statusCode());
  }

  @Test
  void reportsLimitsOfARejectedSignIn() throws Exception {
    MvcContract.assertFields(new Reply(401, post("/pay/d", "wrong", "x=y").headers(), ""));
  }

  @Test
  void reportsOnlyWhatTheHandlerCounts() throws Exception {
    Reply reply = new Reply(200, post("/both/c", "right", "x=y").headers(), "");
    assertEquals("3", reply.field("X-RateLimit-Limit").orElse(""));
    assertEquals(2, reply.remaining());
    HttpResponse<String> draft = post("/pay/c", "right", "draft=1");
    assertEquals("draft", draft.body());
    assertEquals(List.of(), new Reply(200, draft.headers(), "").fields());
  }
}
