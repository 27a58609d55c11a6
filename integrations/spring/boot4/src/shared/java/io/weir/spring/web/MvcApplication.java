package io.weir.spring.web;

import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.testkit.FakeTicker;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** An application with one endpoint for each way in which Spring MVC answers. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
  MvcApplication.Plain.class,
  MvcApplication.Async.class,
  MvcApplication.Outcomes.class,
  MvcApplication.Shared.class,
  MvcApplication.Inherited.class,
  MvcApplication.Calls.class,
  MvcApplication.Dispatches.class,
  MvcApplication.Service.class
})
class MvcApplication {
  @Bean
  FakeTicker ticker() {
    return new FakeTicker();
  }

  @Bean
  FilterRegistrationBean<SignIn> signIn() {
    return new FilterRegistrationBean<>(new SignIn());
  }

  /** Signs in the user that {@code X-User} names. */
  static final class SignIn extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      String name = request.getHeader("X-User");
      chain.doFilter(
          name == null
              ? request
              : new HttpServletRequestWrapper(request) {
                @Override
                public Principal getUserPrincipal() {
                  return () -> name;
                }
              },
          response);
    }
  }

  @RestController
  static class Plain {
    @GetMapping("/ip")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "ip")
    String ip() {
      return "ip";
    }

    @GetMapping("/user")
    @RateLimit(limit = 3, window = 60, by = By.USER, name = "user")
    String user() {
      return "user";
    }

    @GetMapping("/key")
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:X-Api-Key", name = "key")
    Map<String, String> key() {
      return Map.of("key", "json");
    }

    @GetMapping("/items/{id:[a-z]+}/parts/{part}")
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "path:id", name = "path")
    String path(@PathVariable("id") String id) {
      return id;
    }

    @GetMapping("/query")
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "query:q", name = "query")
    String query() {
      return "query";
    }

    @GetMapping("/free")
    String free() {
      return "free";
    }

    @PostMapping(path = "/posted", consumes = "text/plain")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "posted")
    String posted() {
      return "posted";
    }

    @RequestMapping(path = "/head", method = RequestMethod.HEAD)
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "head")
    void head() {}

    @RequestMapping(path = "/options", method = RequestMethod.OPTIONS)
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "options")
    String options() {
      return "own";
    }
  }

  static Thread later(Runnable answer) {
    Thread thread = new Thread(answer, "answers-later");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @RestController
  static class Async {
    @GetMapping("/callable")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "callable")
    Callable<String> callable() {
      return () -> "callable";
    }

    @GetMapping("/deferred")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "deferred")
    DeferredResult<String> deferred() {
      DeferredResult<String> result = new DeferredResult<>();
      later(() -> result.setResult("deferred"));
      return result;
    }

    @GetMapping("/future")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "future")
    CompletableFuture<String> future() {
      CompletableFuture<String> result = new CompletableFuture<>();
      later(() -> result.complete("future"));
      return result;
    }

    @GetMapping("/streaming")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "streaming")
    ResponseEntity<StreamingResponseBody> streaming() {
      return ResponseEntity.ok(out -> out.write("streaming".getBytes(StandardCharsets.UTF_8)));
    }

    @GetMapping("/emitter")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "emitter")
    ResponseBodyEmitter emitter() {
      ResponseBodyEmitter emitter = new ResponseBodyEmitter();
      later(() -> send(emitter));
      return emitter;
    }

    @GetMapping("/sse")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "sse")
    SseEmitter sse() {
      SseEmitter emitter = new SseEmitter();
      later(() -> send(emitter));
      return emitter;
    }

    private static void send(ResponseBodyEmitter emitter) {
      try {
        emitter.send("one");
        emitter.send("two");
        emitter.complete();
      } catch (IOException gone) {
        emitter.completeWithError(gone);
      }
    }
  }

  static final class Expected extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  static final class Unprocessable extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @RestController
  static class Outcomes {
    @GetMapping("/mapped")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "mapped")
    String mapped() {
      throw new Expected();
    }

    @GetMapping("/failures")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures")
    String failures(@RequestParam(name = "status", defaultValue = "200") int status) {
      if (status == 422) {
        throw new Unprocessable();
      }
      return "fine";
    }

    @GetMapping("/failures-async")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures-async")
    DeferredResult<String> failuresAsync(
        @RequestParam(name = "status", defaultValue = "200") int status) {
      DeferredResult<String> result = new DeferredResult<>();
      later(
          () -> {
            if (status == 422) {
              result.setErrorResult(new Unprocessable());
            } else {
              result.setResult("fine");
            }
          });
      return result;
    }

    /** Its user isn't known before the sign-in. */
    @GetMapping("/failures-user")
    @RateLimit(limit = 3, window = 60, by = By.USER, count = Count.FAILURES, name = "failures-user")
    ResponseEntity<String> failuresUser(
        @RequestParam(name = "status", defaultValue = "200") int status) {
      return ResponseEntity.status(status).body("answer");
    }

    @GetMapping("/no-content")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "no-content")
    ResponseEntity<Void> noContent() {
      return ResponseEntity.noContent().build();
    }

    @GetMapping("/redirect")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "redirect")
    void redirect(HttpServletResponse response) throws IOException {
      response.sendRedirect("/free");
    }

    @GetMapping("/sent-error")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "sent-error")
    void sentError(HttpServletResponse response) throws IOException {
      response.sendError(418);
    }

    @GetMapping("/streamed-failure")
    @RateLimit(
        limit = 3,
        window = 60,
        by = By.IP,
        count = Count.FAILURES,
        name = "streamed-failure")
    StreamingResponseBody streamedFailure() {
      return out -> {
        throw new IllegalStateException("on purpose");
      };
    }

    @GetMapping("/timeout")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "timeout")
    DeferredResult<String> timeout() {
      // Jetty may lose a time-out that comes before the handler has returned.
      return new DeferredResult<>(500L);
    }

    @GetMapping("/unmapped")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "unmapped")
    String unmapped() {
      throw new IllegalStateException("on purpose");
    }

    @GetMapping("/unmapped-async")
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "unmapped-async")
    Callable<String> unmappedAsync() {
      return () -> {
        throw new IllegalStateException("on purpose");
      };
    }

    @GetMapping("/unmapped-success")
    @RateLimit(
        limit = 3,
        window = 60,
        by = By.IP,
        count = Count.SUCCESSES,
        name = "unmapped-success")
    String unmappedSuccess() {
      throw new IllegalStateException("on purpose");
    }

    @ExceptionHandler(Expected.class)
    ResponseEntity<String> expected() {
      return ResponseEntity.status(500).body("mapped");
    }

    @ExceptionHandler(Unprocessable.class)
    ResponseEntity<String> unprocessable() {
      return ResponseEntity.status(422).body("unprocessable");
    }
  }

  @Retention(RetentionPolicy.RUNTIME)
  @RateLimit(limit = 2, window = 60, by = By.IP, name = "meta")
  @interface Modest {}

  @RestController
  @RequestMapping("/shared")
  @RateLimit(limit = 2, window = 60, by = By.IP, name = "class")
  static class Shared {
    @GetMapping("/one")
    String one() {
      return "one";
    }

    @GetMapping("/two")
    String two() {
      return "two";
    }

    @GetMapping("/own")
    @Modest
    String own() {
      return "own";
    }
  }

  abstract static class Base {
    @GetMapping("/inherited")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "inherited")
    public String inherited() {
      return "inherited";
    }
  }

  interface Api {
    @GetMapping("/of-interface")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "of-interface")
    String ofInterface();
  }

  @RestController
  static class Inherited extends Base implements Api {
    @Override
    public String ofInterface() {
      return "of-interface";
    }
  }

  /** A bean whose methods are limited by the advice. */
  static class Service {
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "call")
    public String work() {
      return "work";
    }

    @RateLimit(limit = 9, window = 60, by = By.IP, costFrom = "param:amount", name = "malformed")
    public String count(String amount) {
      return amount;
    }
  }

  @RestController
  static class Calls {
    private final Service service;

    Calls(Service service) {
      this.service = service;
    }

    @GetMapping("/calls")
    String calls() {
      return service.work();
    }

    @GetMapping("/calls/wrapped")
    String wrapped() {
      try {
        return service.work();
      } catch (RuntimeException thrown) {
        throw new IllegalStateException(new CompletionException(thrown));
      }
    }

    @GetMapping("/calls/callable")
    Callable<String> callable() {
      return service::work;
    }

    @GetMapping("/calls/deferred")
    DeferredResult<String> deferred() {
      DeferredResult<String> result = new DeferredResult<>();
      try {
        result.setResult(service.work());
      } catch (RuntimeException thrown) {
        later(() -> result.setErrorResult(thrown));
      }
      return result;
    }

    @GetMapping("/calls/streaming")
    StreamingResponseBody streaming() {
      return out -> out.write(service.work().getBytes(StandardCharsets.UTF_8));
    }

    @GetMapping("/calls/excessive")
    String excessive() {
      return service.count("10");
    }

    @GetMapping("/calls/malformed")
    String malformed() {
      return service.count("many");
    }

    @GetMapping("/calls/committed")
    void committed(HttpServletResponse response) throws IOException {
      response.getOutputStream().print("begun");
      response.flushBuffer();
      service.work();
    }

    @GetMapping("/calls/written")
    void written(HttpServletResponse response) throws IOException {
      response.setHeader("Content-Encoding", "x-own");
      response.getWriter().print("begun");
      service.work();
    }
  }

  @Controller
  static class Dispatches {
    @GetMapping("/forward")
    @RateLimit(limit = 5, window = 60, by = By.IP, name = "forward")
    String forward() {
      return "forward:/target";
    }

    @GetMapping("/target")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "target")
    @ResponseBody
    String target() {
      return "target";
    }

    @GetMapping("/include")
    @RateLimit(limit = 5, window = 60, by = By.IP, name = "include")
    void include(HttpServletRequest request, HttpServletResponse response) throws Exception {
      response.getWriter().print("before ");
      request.getRequestDispatcher("/part").include(request, response);
    }

    @GetMapping("/include-late")
    @RateLimit(limit = 5, window = 60, by = By.IP, name = "include-late")
    void includeLate(HttpServletRequest request, HttpServletResponse response) throws Exception {
      response.getWriter().print("before ");
      response.flushBuffer();
      request.getRequestDispatcher("/part").include(request, response);
    }

    @GetMapping("/part")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "part")
    void part(HttpServletResponse response) throws IOException {
      response.getWriter().print("part");
    }
  }

  static class Function implements HandlerFunction<ServerResponse> {
    @Override
    @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "function")
    public ServerResponse handle(ServerRequest request) {
      return ServerResponse.status(request.param("status").map(Integer::valueOf).orElse(200))
          .body("function");
    }
  }

  @Bean
  RouterFunction<ServerResponse> routes() {
    return RouterFunctions.route()
        .GET("/function", new Function())
        .GET("/lambda/{id}", request -> ServerResponse.ok().body("lambda"))
        .build();
  }
}
