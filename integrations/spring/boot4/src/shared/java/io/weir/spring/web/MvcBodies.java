package io.weir.spring.web;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Handlers that read a body in each way, with and without policies that read it first. */
@Import({MvcBodies.Limited.class, MvcBodies.OfUsers.class, MvcBodies.Plain.class})
class MvcBodies {
  /** Shows what Spring MVC makes of a body. */
  public static class Account {
    private @Nullable String user;
    private @Nullable String text;

    public @Nullable String getUser() {
      return user;
    }

    public void setUser(String user) {
      this.user = user;
    }

    public @Nullable String getText() {
      return text;
    }

    public void setText(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return user + "|" + text;
    }
  }

  /** Reads bodies. */
  abstract static class Ways {
    @PostMapping("/json")
    String json(@RequestBody Account account) {
      return account.toString();
    }

    @PostMapping("/param")
    String param(@RequestParam("user") String user, @RequestParam("text") String text) {
      return user + "|" + text;
    }

    @PutMapping("/param")
    String put(@RequestParam("user") String user, @RequestParam("text") String text) {
      return user + "|" + text;
    }

    @PostMapping("/model")
    String model(@ModelAttribute Account account) {
      return account.toString();
    }

    @PostMapping("/values")
    String values(@RequestBody MultiValueMap<String, String> values) {
      return new TreeMap<>(values).toString();
    }

    @PostMapping("/upload")
    String upload(@RequestParam("user") String user, @RequestParam("file") MultipartFile file)
        throws IOException {
      return user
          + "|"
          + file.getOriginalFilename()
          + "|"
          + file.getContentType()
          + "|"
          + new String(file.getBytes(), StandardCharsets.UTF_8);
    }

    @PostMapping("/stream")
    String stream(HttpServletRequest request) throws IOException {
      return new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @PostMapping("/reader")
    String reader(HttpServletRequest request) throws IOException {
      return request.getReader().readLine();
    }

    @PostMapping("/callable")
    Callable<String> callable(@RequestBody Account account, HttpServletRequest request) {
      return () -> account + "|" + request.getParameter("q");
    }

    @PostMapping("/forward")
    void forward(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      request.getRequestDispatcher("/plain/json").forward(request, response);
    }
  }

  @RestController
  @RequestMapping("/bodies")
  @RateLimit(limit = 3, window = 60, by = By.KEY, key = "form:user|json:/user", name = "bodies")
  static class Limited extends Ways {}

  /** Is decided right before its handlers, since the policy needs the user. */
  @RestController
  @RequestMapping("/users-bodies")
  @RateLimit(
      limit = 3,
      window = 60,
      by = {By.USER, By.KEY},
      key = "form:user|json:/user",
      name = "users-bodies")
  static class OfUsers extends Ways {}

  @RestController
  @RequestMapping("/plain")
  @Unlimited
  static class Plain extends Ways {
    /** Leads to a handler that counts by the body. */
    @PostMapping("/to-limited")
    void toLimited(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      request.getRequestDispatcher("/bodies/json").forward(request, response);
    }
  }

  @RateLimit(limit = 3, window = 60, by = By.KEY, key = "json:/user", name = "routed")
  static class Routed implements HandlerFunction<ServerResponse> {
    @Override
    public ServerResponse handle(ServerRequest request) throws Exception {
      return ServerResponse.ok().body(request.body(Account.class).toString());
    }
  }

  @Bean
  RouterFunction<ServerResponse> bodyRoutes() {
    return RouterFunctions.route().POST("/routed", new Routed()).build();
  }
}
