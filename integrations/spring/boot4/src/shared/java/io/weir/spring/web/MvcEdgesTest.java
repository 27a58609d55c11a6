package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.spring.web.MvcServer.Reply;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.io.InputStreamResource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;

/** Tries what other parts of an application do around a limited handler. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class MvcEdgesTest {
  /** More than a server buffers to find out the length. */
  private static final String LONG = "long ".repeat(100_000);

  private static MvcServer server;
  private static Recorder recorder;

  /** Records the ends of requests, and limits nothing. */
  static final class Recorder implements PolicySource {
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
      return CompletableFuture.completedFuture(AppliedPolicies.none());
    }

    @Override
    public void completed(RequestInfo request, Decision decision) {
      ends.add(
          String.join(
              " ",
              request.method(),
              request.endpoint(),
              request.user().orElse("-"),
              String.valueOf(decision.admitted())));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Around implements WebMvcConfigurer {
    @Bean
    Recorder recorder() {
      return new Recorder();
    }

    @Bean
    FilterRegistrationBean<Attributes> attributes() {
      FilterRegistrationBean<Attributes> registration =
          new FilterRegistrationBean<>(new Attributes());
      registration.setOrder(-101); // between Weir and Spring Security, which sets some too
      return registration;
    }

    @Bean
    FilterRegistrationBean<ShallowEtagHeaderFilter> etags() {
      FilterRegistrationBean<ShallowEtagHeaderFilter> registration =
          new FilterRegistrationBean<>(new ShallowEtagHeaderFilter());
      registration.addUrlPatterns("/etag");
      return registration;
    }

    @Bean
    FilterRegistrationBean<Outer> outer(Recorder recorder) {
      FilterRegistrationBean<Outer> registration =
          new FilterRegistrationBean<>(new Outer(recorder.ends));
      registration.setOrder(-103); // before Weir
      registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
      registration.addUrlPatterns("/unannounced");
      return registration;
    }

    /** Forwards to error pages, as the filter of Spring Boot in a deployed archive does. */
    @Bean
    FilterRegistrationBean<ErrorPages> errorPages() {
      FilterRegistrationBean<ErrorPages> registration =
          new FilterRegistrationBean<>(new ErrorPages());
      registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
      registration.addUrlPatterns("/deployed/*");
      return registration;
    }

    /** The filter of Weir again, as if an application had registered it itself. */
    @Bean
    FilterRegistrationBean<FilterAgain> again(
        FilterRegistrationBean<WebMvcRateLimitFilter> weirWebMvcFilter) {
      return new FilterRegistrationBean<>(new FilterAgain(weirWebMvcFilter.getFilter()));
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
      registry.addInterceptor(new Answering());
    }

    @Bean
    HandlerMapping throwingMapping() {
      return new ThrowingMapping();
    }

    @Bean
    ServletRegistrationBean<DispatcherServlet> second() {
      AnnotationConfigWebApplicationContext child = new AnnotationConfigWebApplicationContext();
      child.register(Second.class);
      ServletRegistrationBean<DispatcherServlet> registration =
          new ServletRegistrationBean<>(new DispatcherServlet(child), "/second/*");
      registration.setName("second");
      return registration;
    }

    @Bean
    Edges edges() {
      return new Edges();
    }
  }

  /** A name of its own, since Spring Boot registers one filter under one name. */
  static final class FilterAgain implements jakarta.servlet.Filter {
    private final WebMvcRateLimitFilter filter;

    FilterAgain(WebMvcRateLimitFilter filter) {
      this.filter = filter;
    }

    @Override
    public void doFilter(
        jakarta.servlet.ServletRequest request,
        jakarta.servlet.ServletResponse response,
        FilterChain chain)
        throws IOException, ServletException {
      filter.doFilter(request, response, chain);
    }
  }

  /** Shows which attributes of Spring MVC a filter after Weir's sees. */
  static final class Attributes extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      Set<String> names = new TreeSet<>(Collections.list(request.getAttributeNames()));
      names.removeIf(
          each ->
              !each.startsWith("org.springframework.web.servlet.HandlerMapping")
                  && !each.contains("PathPattern")
                  && !each.contains("ServletRequestPathUtils"));
      response.setHeader("X-Attributes", names.toString());
      chain.doFilter(request, response);
    }
  }

  /** Sees which requests have ended when Weir's filter returns from the last dispatch. */
  static final class Outer extends HttpFilter {
    private static final long serialVersionUID = 1;

    private static final BlockingQueue<Boolean> SEEN = new LinkedBlockingQueue<>();

    private final transient BlockingQueue<String> ends;

    Outer(BlockingQueue<String> ends) {
      this.ends = ends;
    }

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      boolean isAsync = request.getDispatcherType() == DispatcherType.ASYNC;
      chain.doFilter(request, response);
      if (isAsync) {
        SEEN.add(ends.peek() != null);
      }
    }
  }

  /** Makes the error page of a response that has an error instead of a body. */
  static final class ErrorPages extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      int[] error = new int[1];
      chain.doFilter(
          request,
          new HttpServletResponseWrapper(response) {
            @Override
            public void sendError(int status) {
              error[0] = status;
            }

            @Override
            public void sendError(int status, String message) {
              error[0] = status;
            }
          });
      if (error[0] != 0) {
        request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, error[0]);
        response.setStatus(error[0]);
        request.getRequestDispatcher("/own-error").forward(request, response);
      }
    }
  }

  /** Answers in place of handlers. */
  static final class Answering implements HandlerInterceptor {
    @Override
    public boolean preHandle(
        HttpServletRequest request, HttpServletResponse response, Object handler)
        throws IOException {
      if (request.getHeader("X-Forbidden") != null) {
        response.sendError(403);
        return false;
      }
      if (request.getHeader("X-Fail") != null) {
        throw new IllegalStateException("on purpose");
      }
      return true;
    }

    /** Lets Tomcat show another type of dispatch, as containers do after one within another. */
    @Override
    public void afterCompletion(
        HttpServletRequest request,
        HttpServletResponse response,
        Object handler,
        @Nullable Exception failure) {
      if (request.getHeader("X-Other-Type") != null) {
        request.setAttribute("org.apache.catalina.core.DISPATCHER_TYPE", DispatcherType.FORWARD);
      }
    }
  }

  /** Asked first, and fails for one path. */
  static final class ThrowingMapping implements HandlerMapping, Ordered {
    @Override
    public int getOrder() {
      return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public HandlerExecutionChain getHandler(HttpServletRequest request) throws Exception {
      if (request.getRequestURI().equals("/throws")) {
        throw new ServletException("on purpose");
      }
      request.setAttribute(HandlerMapping.class.getName() + ".ofTest", "set");
      return null;
    }
  }

  @RestController
  static class Edges {
    @GetMapping("/etag")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "etag")
    String etag() {
      return "tagged";
    }

    @GetMapping("/cleared")
    @RateLimit(
        limit = 2,
        window = 60,
        by = By.KEY,
        key = "query:user",
        count = Count.FAILURES,
        clearOn = ClearOn.SUCCESS,
        name = "cleared")
    ResponseEntity<String> cleared(@RequestParam("status") int status) {
      return ResponseEntity.status(status).body("answer");
    }

    @GetMapping("/reset")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "reset")
    void reset(HttpServletResponse response) throws IOException {
      response.getWriter().print("forgotten");
      response.reset();
      response.setContentType("text/plain");
      response.getWriter().print("kept");
      response.flushBuffer();
    }

    @GetMapping("/unannounced")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "unannounced")
    CompletableFuture<InputStreamResource> unannounced() {
      return CompletableFuture.completedFuture(
          new InputStreamResource(
              new ByteArrayInputStream(LONG.getBytes(StandardCharsets.US_ASCII))));
    }

    @GetMapping("/deployed/error")
    void sentError(HttpServletResponse response) throws IOException {
      response.sendError(404);
    }

    @GetMapping("/own-error")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "own-error")
    String ownError() {
      return "own error page";
    }

    @GetMapping("/endless")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "endless")
    ResponseBodyEmitter endless() {
      ResponseBodyEmitter emitter = new ResponseBodyEmitter(0L);
      CountDownLatch ended = new CountDownLatch(1);
      emitter.onCompletion(ended::countDown);
      MvcApplication.later(
          () -> {
            try {
              while (ended.getCount() > 0) {
                emitter.send("more ".repeat(1000));
                LockSupport.parkNanos(1_000_000); // before the first write Spring keeps all
              }
            } catch (IOException | IllegalStateException gone) {
              // Spring ends the request.
            }
          });
      return emitter;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableWebMvc
  static class Second {
    @Bean
    SecondController controller() {
      return new SecondController();
    }
  }

  @RestController
  static class SecondController {
    @GetMapping("/limited")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "second")
    ResponseEntity<String> limited() {
      return ResponseEntity.ok("second");
    }
  }

  @BeforeAll
  static void start() {
    server =
        MvcServer.start(
            List.of(
                MvcApplication.class,
                OpenSecurity.class,
                ErrorHandlerForEverything.class,
                Around.class));
    recorder = server.context().getBean(Recorder.class);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void forgetEnds() {
    recorder.ends.clear();
  }

  private static String[] caller(String... more) {
    return MvcContract.caller(more);
  }

  private static void assertEnds(String end) throws Exception {
    awaitEnd(end);
    // Another request, so that a second end of the first has had its time.
    assertEquals(200, server.get("/ip", caller()).status());
    assertEquals("GET /ip - true", recorder.ends.poll(60, TimeUnit.SECONDS));
    assertNull(recorder.ends.poll(), "ended twice");
  }

  private static void awaitEnd(String end) throws InterruptedException {
    String ended = recorder.ends.poll(60, TimeUnit.SECONDS);
    while (ended != null && !ended.equals(end)) {
      ended = recorder.ends.poll(60, TimeUnit.SECONDS); // that was a late end of an earlier test
    }
    assertEquals(end, ended);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/calls",
        "/calls/wrapped",
        "/calls/callable",
        "/calls/deferred",
        "/calls/streaming",
        "/calls/written"
      })
  void goesBeforeAnErrorHandlerForEverything(String path) throws Exception {
    String[] caller = caller();
    assertEquals(List.of(200, 200), server.statuses(2, path, caller));
    MvcContract.assertRefusal(server.get(path, caller));
  }

  @Test
  void goesBeforeAnErrorHandlerForEverythingWithMalformedRequestsToo() throws Exception {
    assertEquals(400, server.get("/calls/malformed", caller()).status());
  }

  @ParameterizedTest
  @CsvSource({
    "/ip, /ip, 200",
    "/items/a/parts/1, '/items/{id}/parts/{part}', 200",
    "/callable, /callable, 200",
    "/deferred, /deferred, 200",
    "/future, /future, 200",
    "/streaming, /streaming, 200",
    "/emitter, /emitter, 200",
    "/sse, /sse, 200",
    "/failures-async?status=422, /failures-async, 422",
    "/streamed-failure, /streamed-failure, 500",
    "/timeout, /timeout, 500",
    "/unmapped, /unmapped, 500",
    "/unmapped-async, /unmapped-async, 500",
    "/sent-error, /sent-error, 418",
    "/redirect, /redirect, 302",
    "/no-content, /no-content, 204",
    "/forward, /forward, 200",
    "/function, /function, 200"
  })
  void endsOnce(String path, String endpoint, int status) throws Exception {
    Reply reply = server.get(path, caller("X-User", "ann"));
    assertEquals(status, reply.status(), reply::body);
    assertEnds("GET " + endpoint + " ann true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-None", "X-Other-Type"})
  void endsAnAsynchronousResponseOfUnknownLengthBeforeItsLastBytes(String field) throws Exception {
    Reply reply = server.get("/unannounced", caller(field, "yes"));
    assertEquals(LONG, reply.body());
    assertEquals(Optional.empty(), reply.field("Content-Length"));
    assertEquals(true, Outer.SEEN.poll(60, TimeUnit.SECONDS));
    assertEnds("GET /unannounced - true");
  }

  @Test
  void endsOnceWhenRefused() throws Exception {
    String[] caller = caller();
    server.get(3, "/ip", caller);
    for (int i = 0; i < 3; i++) {
      recorder.ends.poll(60, TimeUnit.SECONDS);
    }
    assertEquals(429, server.get("/ip", caller).status());
    assertEnds("GET /ip - false");
  }

  @Test
  void endsWhenTheCallerIsGone() throws Exception {
    String[] caller = caller();
    for (int i = 0; i < 3; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket
            .getOutputStream()
            .write(
                ("GET /endless HTTP/1.1\r\nHost: x\r\n" + caller[0] + ": " + caller[1] + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        assertTrue(in.read() >= 0);
        socket.setSoLinger(true, 0);
      }
      awaitEnd("GET /endless - true");
    }
    assertEquals(429, server.get("/endless", caller).status(), "each end was a failure");
  }

  @Test
  void leavesNoAttributesOfMappings() throws Exception {
    Reply reply = server.get("/items/a/parts/1", caller());
    assertEquals(200, reply.status());
    assertEquals("[]", reply.field("X-Attributes").orElse(""));
  }

  @Test
  void leavesTheFailureOfAMappingToTheServlet() throws Exception {
    Reply reply = server.get("/throws", caller());
    assertEquals(500, reply.status());
    assertEquals("everything: ServletException", reply.body());
    assertEquals(List.of(), reply.fields());
  }

  @Test
  void countsWhatAnInterceptorAnswers() throws Exception {
    String[] caller = caller("X-Forbidden", "yes");
    for (Reply each : server.get(3, "/failures", caller)) {
      assertEquals(403, each.status());
      MvcContract.assertFields(each);
    }
    MvcContract.assertRefusal(server.get("/failures", caller));
    Reply failed = server.get("/ip", caller("X-Fail", "yes"));
    assertEquals(500, failed.status());
    MvcContract.assertFields(failed);
  }

  @Test
  void worksWithFiltersThatBufferResponses() throws Exception {
    String[] caller = caller();
    String tag = server.get("/etag", caller).field("ETag").orElseThrow();
    String[] again = {caller[0], caller[1], "If-None-Match", tag};
    for (int i = 0; i < 6; i++) {
      Reply reply = server.get("/etag", again);
      assertEquals(304, reply.status());
      MvcContract.assertFields(reply);
    }
  }

  @Test
  void aSuccessClearsTheFailuresBeforeItAndARedirectOrHeadDoesNot() throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (int status : new int[] {401, 200, 401, 302}) {
      statuses.add(server.get("/cleared?user=alice&status=" + status, caller()).status());
    }
    String answered = "/cleared?user=alice&status=200";
    assertEquals(200, server.send("HEAD", answered, caller()).status());
    statuses.add(server.get("/cleared?user=alice&status=401", caller()).status());
    statuses.add(server.get(answered, caller()).status());
    assertEquals(List.of(401, 200, 401, 302, 401, 429), statuses);
  }

  @Test
  void writesTheFieldsAgainAfterAReset() throws Exception {
    Reply reply = server.get("/reset", caller());
    assertEquals("kept", reply.body());
    MvcContract.assertFields(reply);
  }

  @Test
  void limitsEachDispatcherServletFromItsFirstRequest() throws Exception {
    String[] caller = caller();
    List<Reply> replies = server.get(3, "/second/limited", caller);
    assertEquals(List.of(200, 200, 429), replies.stream().map(Reply::status).toList());
    replies.forEach(MvcContract::assertFields);
  }

  @Test
  void chargesNoErrorPageThatAFilterForwardsTo() throws Exception {
    String[] caller = caller();
    // The error page has a limit of two.
    for (int i = 0; i < 5; i++) {
      Reply reply = server.get("/deployed/error", caller);
      assertEquals(404, reply.status());
      assertEquals("own error page", reply.body());
    }
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/own-error", caller));
  }

  @Test
  void findsTheFilterOfTheStarterTwice() {
    ApplicationContext context = server.context();
    assertEquals(
        2,
        context.getBeansOfType(FilterRegistrationBean.class).values().stream()
            .map(each -> each.getFilter())
            .filter(each -> each instanceof WebMvcRateLimitFilter || each instanceof FilterAgain)
            .count());
  }
}
