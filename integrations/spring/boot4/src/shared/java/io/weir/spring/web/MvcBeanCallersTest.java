package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.spi.CallerTier;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Tries whom limited beans count that filters behind a sign-in and servlets call. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class MvcBeanCallersTest {
  private static MvcServer server;

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class App {
    @Bean
    Mailer mailer() {
      return new Mailer();
    }

    @Bean
    LaterMailing later(Mailer mailer) {
      return new LaterMailing(mailer);
    }

    @Bean
    TierResolver plans() {
      return (request, policy) ->
          request.user().filter(each -> each.startsWith("premium")).isPresent()
              ? CallerTier.named("premium")
              : CallerTier.none();
    }

    @Bean
    KeyResolver account() {
      return RequestInfo::user;
    }

    @Bean
    RequestCondition signedIn() {
      return request -> request.user().isPresent();
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http, Mailer mailer) throws Exception {
      return http.authorizeHttpRequests(each -> each.anyRequest().permitAll())
          .csrf(each -> each.disable())
          .addFilterBefore(new SignIn(), AuthorizationFilter.class)
          .addFilterAfter(new Mailing("/inside/", mailer), AuthorizationFilter.class)
          .build();
    }

    @Bean
    FilterRegistrationBean<Mailing> behind(Mailer mailer) {
      return new FilterRegistrationBean<>(new Mailing("/behind/", mailer));
    }

    @Bean
    FilterRegistrationBean<OwnSignIn> own() {
      FilterRegistrationBean<OwnSignIn> own = new FilterRegistrationBean<>(new OwnSignIn());
      own.setOrder(Ordered.LOWEST_PRECEDENCE);
      return own;
    }

    @Bean
    ServletRegistrationBean<MailServlet> servlet(Mailer mailer) {
      return new ServletRegistrationBean<>(new MailServlet(mailer), "/servlet/*");
    }
  }

  /** Calls a limited method in another thread, after the handler has returned. */
  @RestController
  static class LaterMailing {
    private final Mailer mailer;

    LaterMailing(Mailer mailer) {
      this.mailer = mailer;
    }

    @GetMapping("/later/user")
    Mono<String> user() {
      return Mono.delay(Duration.ofMillis(1)).then(Mono.defer(mailer::later));
    }
  }

  /** Calls a limited method by the last part of a path. */
  private static void send(Mailer mailer, String path) {
    switch (path.substring(path.lastIndexOf('/') + 1)) {
      case "user" -> mailer.user();
      case "tier" -> mailer.tier();
      case "key" -> mailer.key();
      default -> mailer.condition();
    }
  }

  static class Mailer {
    @RateLimit(limit = 2, window = 3600, by = By.USER, name = "mail-user")
    public void user() {}

    @RateLimit(limit = 2, window = 3600, by = By.USER, name = "mail-later")
    public Mono<String> later() {
      return Mono.just("sent");
    }

    @RateLimit(
        limit = 2,
        window = 3600,
        by = By.IP,
        tiers = @Tier(name = "premium", limit = 4),
        name = "mail-tier")
    public void tier() {}

    @RateLimit(limit = 2, window = 3600, by = By.KEY, key = "account", name = "mail-key")
    public void key() {}

    @RateLimit(limit = 2, window = 3600, by = By.IP, when = "signedIn", name = "mail-condition")
    public void condition() {}
  }

  /** Signs in by a header, behind the start of Spring Security's chain. */
  private static final class SignIn extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      @Nullable String user = request.getHeader("X-User");
      if (user != null) {
        SecurityContextHolder.setContext(
            new SecurityContextImpl(
                new UsernamePasswordAuthenticationToken(user, null, List.of())));
      }
      chain.doFilter(request, response);
    }
  }

  /** Signs in without Spring Security, as the last filter of the application. */
  static final class OwnSignIn extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      @Nullable String user = request.getHeader("X-Own-User");
      chain.doFilter(user == null ? request : new Signed(request, user), response);
    }
  }

  private static final class Signed extends HttpServletRequestWrapper {
    private final String user;

    Signed(HttpServletRequest request, String user) {
      super(request);
      this.user = user;
    }

    @Override
    public Principal getUserPrincipal() {
      return () -> user;
    }
  }

  /** Answers by a call of a limited method. */
  static final class Mailing extends HttpFilter {
    private static final long serialVersionUID = 1;
    private final String paths;
    private final transient Mailer mailer;

    Mailing(String paths, Mailer mailer) {
      this.paths = paths;
      this.mailer = mailer;
    }

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      if (request.getRequestURI().startsWith(paths)) {
        send(mailer, request.getRequestURI());
      } else {
        chain.doFilter(request, response);
      }
    }
  }

  static final class MailServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private final transient Mailer mailer;

    MailServlet(Mailer mailer) {
      this.mailer = mailer;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      send(mailer, request.getRequestURI());
    }
  }

  @BeforeAll
  static void start() {
    server = MvcServer.start(List.of(App.class));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** Sends requests of one user, each from another address. */
  private static List<Integer> ofUser(int times, String path, String field, String user)
      throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(server.get(path, MvcContract.caller(field, user)).status());
    }
    return statuses;
  }

  @ParameterizedTest
  @ValueSource(strings = {"/inside/", "/behind/", "/servlet/"})
  void oneUserHasOneBucketFromEachAddress(String place) throws Exception {
    String user = "ann" + place;
    assertEquals(List.of(200, 200, 429), ofUser(3, place + "user", "X-User", user));
    assertEquals(List.of(200, 200, 429), ofUser(3, place + "key", "X-User", user));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/inside/", "/behind/", "/servlet/"})
  void aUserAtTheLimitLocksOutNoOtherOfItsAddress(String place) throws Exception {
    String[] caller = MvcContract.caller("X-User", "ben" + place);
    assertEquals(List.of(200, 200, 429), server.statuses(3, place + "user", caller));
    assertEquals(
        200, server.get(place + "user", caller[0], caller[1], "X-User", "carl" + place).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/inside/", "/behind/", "/servlet/"})
  void tiersAndConditionsKnowTheUser(String place) throws Exception {
    String[] premium = MvcContract.caller("X-User", "premium" + place);
    assertEquals(List.of(200, 200, 200, 200, 429), server.statuses(5, place + "tier", premium));
    String[] signedIn = MvcContract.caller("X-User", "dora" + place);
    assertEquals(List.of(200, 200, 429), server.statuses(3, place + "condition", signedIn));
    assertEquals(
        List.of(200, 200, 200), server.statuses(3, place + "condition", MvcContract.caller()));
  }

  @Test
  void aMethodThatIsCalledAfterTheHandlerHasReturnedKnowsTheUser() throws Exception {
    assertEquals(List.of(200, 200, 429), ofUser(3, "/later/user", "X-User", "fay"));
  }

  @Test
  void aServletKnowsTheUserThatAFilterBehindWeirsHasSignedIn() throws Exception {
    assertEquals(List.of(200, 200, 429), ofUser(3, "/servlet/user", "X-Own-User", "emil"));
  }

  @Test
  void anAnonymousCallerCountsByAddress() throws Exception {
    String[] caller = MvcContract.caller();
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/behind/user", caller));
    assertEquals(200, server.get("/behind/user", MvcContract.caller()).status());
  }
}
