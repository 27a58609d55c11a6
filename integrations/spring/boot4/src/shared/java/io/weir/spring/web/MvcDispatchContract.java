package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.spring.web.MvcServer.Reply;
import io.weir.testkit.FakeTicker;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Reaches limited handlers by dispatches, and by requests that filters have changed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MvcDispatchContract {
  private static final String NAMED = "dispatcherServlet";

  private MvcServer server;

  /** Returns the factory of the server. */
  abstract Class<?> factory();

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(OwnErrorPage.class)
  static class App {
    @Bean
    FakeTicker ticker() {
      return new FakeTicker();
    }

    @Bean
    Handlers handlers() {
      return new Handlers();
    }

    @Bean
    Proxied proxied() {
      return new Proxied();
    }

    /** Mentions a controller, which gets a proxy. */
    @Bean
    Mentions mentions(Proxied proxied) {
      return new Mentions(proxied);
    }

    @Bean
    FilterRegistrationBean<Outer> outer() {
      FilterRegistrationBean<Outer> registration = new FilterRegistrationBean<>(new Outer());
      registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
      registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
      registration.setAsyncSupported(true);
      return registration;
    }

    @Bean
    FilterRegistrationBean<ErrorPages> errorPages() {
      FilterRegistrationBean<ErrorPages> registration =
          new FilterRegistrationBean<>(new ErrorPages());
      registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
      registration.addUrlPatterns("/deployed/*");
      return registration;
    }

    /** Behind Weir's filter. */
    @Bean
    FilterRegistrationBean<Changing> changing() {
      return new FilterRegistrationBean<>(new Changing());
    }

    @Bean
    ServletRegistrationBean<Plain> plain() {
      return new ServletRegistrationBean<>(new Plain(), "/plain/*");
    }
  }

  record Mentions(Proxied controller) {}

  /** Dispatches in ways that the path names, before Weir's filter. */
  static final class Outer extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      String path = request.getRequestURI();
      if (path.startsWith("/v1/")) {
        request.getRequestDispatcher(path.substring(3)).forward(request, response);
      } else if (path.startsWith("/include/")) {
        request.getRequestDispatcher(path.substring(8)).include(request, response);
      } else if (path.startsWith("/async/")) {
        request.startAsync(request, response).dispatch(path.substring(6));
      } else if (request.getHeader("X-Named") != null) {
        request.getServletContext().getNamedDispatcher(NAMED).forward(request, response);
      } else if (path.startsWith("/after/")) {
        chain.doFilter(request, response);
        request.getRequestDispatcher(path.substring(6)).forward(request, response);
      } else {
        chain.doFilter(request, response);
      }
    }
  }

  /** Forwards to error pages, as the filter of Spring Boot in a deployed archive does. */
  static final class ErrorPages extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      int[] sent = {0};
      chain.doFilter(
          request,
          new HttpServletResponseWrapper(response) {
            @Override
            public void sendError(int status) {
              sent[0] = status;
            }
          });
      if (sent[0] != 0) {
        request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, sent[0]);
        response.setStatus(sent[0]);
        String page = request.getRequestURI().substring("/deployed".length());
        request.getRequestDispatcher(page).forward(request, response);
      }
    }
  }

  /** Changes method and path of a request. */
  static final class Changing extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      String method = request.getHeader("X-HTTP-Method-Override");
      String path = request.getHeader("X-Rewrite");
      chain.doFilter(
          new HttpServletRequestWrapper(request) {
            @Override
            public String getMethod() {
              return method == null ? super.getMethod() : method;
            }

            @Override
            public String getRequestURI() {
              return path == null ? super.getRequestURI() : path;
            }

            @Override
            public String getServletPath() {
              return path == null ? super.getServletPath() : path;
            }
          },
          response);
    }
  }

  /** An error page that isn't one of Spring MVC's. */
  static final class Plain extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      request.getRequestDispatcher("/home").forward(request, response);
    }
  }

  @Controller
  static class Handlers {
    @GetMapping("/search")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "search")
    @ResponseBody
    String search() {
      return "found";
    }

    @GetMapping("/later")
    @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "later")
    DeferredResult<ResponseEntity<String>> later(HttpServletRequest request) {
      DeferredResult<ResponseEntity<String>> result = new DeferredResult<>();
      int status = Integer.parseInt(request.getHeader("X-Status"));
      MvcApplication.later(() -> result.setResult(ResponseEntity.status(status).body("later")));
      return result;
    }

    @GetMapping("/guess")
    @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "guess")
    ResponseEntity<String> guess(HttpServletRequest request) {
      return ResponseEntity.status(Integer.parseInt(request.getHeader("X-Status"))).body("guess");
    }

    @RequestMapping("/home")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "home")
    @ResponseBody
    String home() {
      return "home";
    }

    /** An error page for single-page applications. It costs nothing itself. */
    @RequestMapping("/error")
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "error-page")
    String error() {
      return "forward:/home";
    }

    @GetMapping({"/deployed/error", "/sent-error"})
    void fails(HttpServletResponse response) throws IOException {
      response.sendError(404);
    }

    @GetMapping("/deployed/plain/page")
    void failsBesideSpring(HttpServletResponse response) throws IOException {
      response.sendError(404);
    }

    @GetMapping("/after/search")
    void answersNothingYet(HttpServletResponse response) {}

    @GetMapping("/failing")
    String failing() {
      throw new IllegalStateException("on purpose");
    }

    @RequestMapping("/thing")
    @RateLimit(limit = 20, window = 60, by = By.IP, name = "thing")
    @ResponseBody
    String thing(HttpServletRequest request) {
      return request.getMethod();
    }

    @GetMapping("/{area}/file")
    @ResponseBody
    String file(@PathVariable("area") String area) {
      return area;
    }

    @GetMapping("/rooms/{room}")
    @RateLimit(limit = 2, window = 60, by = By.KEY, key = "path:room", name = "rooms")
    @ResponseBody
    String room(@PathVariable("room") String room) {
      return room;
    }

    @GetMapping("/broken-stream")
    @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "broken")
    StreamingResponseBody brokenStream() {
      return out -> {
        out.write("begun".getBytes(StandardCharsets.US_ASCII));
        out.flush();
        throw new IllegalStateException("on purpose");
      };
    }

    @GetMapping("/broken-response")
    @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "broken-response")
    void brokenResponse(HttpServletResponse response) throws IOException {
      response.getOutputStream().print("begun");
      response.flushBuffer();
      throw new IllegalStateException("on purpose");
    }
  }

  @RestController
  static class Proxied {
    @GetMapping("/proxied")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "proxied")
    public String proxied() {
      return "proxied";
    }
  }

  private MvcServer start(String... properties) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "weir.cost.DELETE=10",
                "weir.policy.files.url=/secret/*",
                "weir.policy.files.limit=2",
                "weir.policy.files.window=1m"));
    all.addAll(List.of(properties));
    return MvcServer.start(
        factory(),
        List.of(App.class, OpenSecurity.class, ErrorHandlerForEverything.class),
        all.toArray(String[]::new));
  }

  @BeforeAll
  void start() {
    server = start(new String[0]);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String[] caller(String... more) {
    return MvcContract.caller(more);
  }

  private void assertTwo(String path, int status, String... caller) throws Exception {
    assertEquals(List.of(status, status, 429, 429), server.statuses(4, path, caller));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/search", "/async/search", "/after/search", "/v1/proxied"})
  void decidesWhatAFilterBeforeItDispatches(String path) throws Exception {
    for (int i = 0; i < 2; i++) { // each caller has a bucket
      String[] caller = caller();
      assertTwo(path, 200, caller);
      MvcContract.assertRefusal(server.get(path, caller));
    }
  }

  @Test
  void writesTheFieldsOfWhatAFilterBeforeItForwards() throws Exception {
    MvcContract.assertFields(server.get("/v1/search", caller()));
  }

  @Test
  void decidesWhatAFilterBeforeItIncludes() throws Exception {
    String[] caller = caller();
    List<Reply> replies = server.get(4, "/include/search", caller);
    assertEquals(List.of(200, 200), replies.stream().limit(2).map(Reply::status).toList());
    for (Reply refused : replies.subList(2, 4)) {
      assertTrue(!refused.body().contains("found"), refused::body);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/search", "/proxied"})
  void decidesDispatchesByName(String path) throws Exception {
    for (int i = 0; i < 2; i++) {
      String[] caller = caller("X-Named", "yes");
      assertTwo(path, 200, caller);
      MvcContract.assertRefusal(server.get(path, caller));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/guess", "/later"})
  void endsWhatItHasBegun(String path) throws Exception {
    for (String named : List.of("X-Named", "X-Other")) {
      for (String prefix : List.of("", "/v1")) {
        String[] caller = caller(named, "yes", "X-Status", "200");
        assertEquals(List.of(200, 200, 200, 200), server.statuses(4, prefix + path, caller));
        caller[caller.length - 1] = "422";
        assertTwo(prefix + path, 422, caller);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/sent-error", "/deployed/error", "/deployed/plain/page"})
  void decidesWhatAnErrorPageForwardsTo(String path) throws Exception {
    String[] caller = caller();
    List<Reply> replies = server.get(4, path, caller);
    assertEquals(List.of(404, 404, 429, 429), replies.stream().map(Reply::status).toList());
    assertEquals("home", replies.get(0).body());
    replies.forEach(MvcContract::assertFields);
  }

  @Test
  void decidesAgainForAMethodThatAFilterChanged() throws Exception {
    String[] caller = caller("X-HTTP-Method-Override", "DELETE");
    assertTwo("/thing", 200, caller);
  }

  @Test
  void decidesPoliciesByUrlOfAPathThatAFilterChanged() throws Exception {
    assertTwo("/public/file", 200, caller("X-Rewrite", "/secret/file"));
  }

  @Test
  void countsVariablesOfAPathThatAFilterChanged() throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      statuses.add(server.get("/rooms/alias-" + i, "X-Rewrite", "/rooms/blue").status());
    }
    assertEquals(List.of(200, 200, 429, 429), statuses);
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/rooms/alias-0"), "given back");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/broken-stream", "/broken-response"})
  void countsABrokenStreamAsAFailure(String path) throws Exception {
    String[] caller = caller();
    for (int i = 0; i < 2; i++) {
      try {
        server.get(path, caller);
      } catch (IOException brokenOff) {
        // That is what it is.
      }
    }
    MvcContract.assertRefusal(awaitRefusal(path, caller));
  }

  /** Asks until the end of the streams was seen, which may be after the caller has seen it. */
  private Reply awaitRefusal(String path, String... caller) throws Exception {
    for (int i = 0; ; i++) {
      try {
        Reply reply = server.get(path, caller);
        if (reply.status() == 429 || i > 20) {
          return reply;
        }
      } catch (IOException brokenOff) {
        assertTrue(i < 20, "a broken stream counts as a success");
      }
    }
  }

  @Test
  void chargesTheApplicationForDispatchesOnce() throws Exception {
    try (MvcServer limited =
        start("weir.application.limit=2", "weir.application.window=1m", "weir.cost.GET=1")) {
      for (String path :
          List.of("/v1/public/file", "/async/public/file", "/v1/missing", "/missing", "/failing")) {
        String[] caller = caller();
        List<Integer> statuses = limited.statuses(3, path, caller);
        assertEquals(429, statuses.get(2), () -> path + ": " + statuses);
        assertTrue(statuses.get(0) != 429 && statuses.get(1) != 429, () -> path + ": " + statuses);
      }
      String[] named = caller("X-Named", "yes");
      assertEquals(List.of(200, 200, 429), limited.statuses(3, "/public/file", named));
    }
  }
}
