package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spring.web.MvcServer.Reply;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.context.DeferredSecurityContext;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.context.HttpRequestResponseHolder;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Limits sign-ins, and reads the user only where a limit needs it. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class MvcSignInTest {
  private static final String[] ONE_LIMIT = {
    "weir.application.limit=4", "weir.application.window=1m"
  };

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class App {}

  /** A sign-in page of the application's own, to which Spring Security answers the POST. */
  @Configuration(proxyBeanMethods = false)
  @Import(LoginPage.class)
  static class OwnPage {
    @Bean
    SecurityFilterChain signIns(HttpSecurity http) throws Exception {
      return http.authorizeHttpRequests(each -> each.anyRequest().authenticated())
          .csrf(each -> each.disable())
          .formLogin(each -> each.loginPage("/login").permitAll())
          .build();
    }
  }

  @RestController
  static class LoginPage {
    @GetMapping("/login")
    String login() {
      return "login";
    }
  }

  /** The sign-in page that Spring Security makes. */
  @Configuration(proxyBeanMethods = false)
  static class MadePage {
    @Bean
    SecurityFilterChain signIns(HttpSecurity http) throws Exception {
      return http.authorizeHttpRequests(each -> each.anyRequest().authenticated())
          .csrf(each -> each.disable())
          .formLogin(each -> {})
          .build();
    }
  }

  private static void assertFourSignIns(MvcServer server) throws Exception {
    String[] caller = MvcContract.caller();
    for (int i = 0; i < 4; i++) {
      Reply reply = server.send("POST", "/login", caller);
      assertEquals(302, reply.status(), reply::body);
      assertTrue(reply.field("Location").orElse("").endsWith("/login?error"), "not signed in");
    }
    assertEquals(429, server.send("POST", "/login", caller).status());
  }

  @Test
  void countsSignInsBesideAPageOfTheApplicationsOwn() throws Exception {
    try (MvcServer server =
        MvcServer.start(
            List.of(App.class, OwnPage.class),
            ONE_LIMIT[0],
            ONE_LIMIT[1],
            "weir.policy.accounts.url=/login",
            "weir.policy.accounts.limit=4",
            "weir.policy.accounts.window=1m",
            "weir.policy.accounts.by=KEY",
            "weir.policy.accounts.key=lower:form:username",
            "spring.security.user.name=ann",
            "spring.security.user.password=right")) {
      assertFourSignIns(server);
      assertSignInsOfOneAccount(server);
    }
  }

  /** Each comes from another address, and Spring Security reads the form after the policy has. */
  private static void assertSignInsOfOneAccount(MvcServer server) throws Exception {
    for (String each : List.of("username=ann", "username=ANN", "username=%61nn")) {
      Reply wrong = signIn(server, each + "&password=wrong");
      assertTrue(wrong.field("Location").orElse("").endsWith("/login?error"), wrong::body);
    }
    assertEquals(400, signIn(server, "username=bob&username=ann&password=right").status());
    Reply right = signIn(server, "username=ann&password=right");
    assertEquals(302, right.status(), right::body);
    assertTrue(right.field("Location").orElse("").endsWith("/"), () -> "" + right.headers());
    assertEquals(429, signIn(server, "username=ann&password=right").status());
  }

  private static Reply signIn(MvcServer server, String form) throws Exception {
    return server.send(
        "POST",
        "/login",
        form,
        List.of(MvcContract.caller("Content-Type", "application/x-www-form-urlencoded")));
  }

  @Test
  void countsSignInsWithoutStaticResources() throws Exception {
    try (MvcServer server =
        MvcServer.start(
            List.of(App.class, MadePage.class),
            ONE_LIMIT[0],
            ONE_LIMIT[1],
            "spring.web.resources.add-mappings=false")) {
      assertFourSignIns(server);
    }
  }

  /** An object without a name, as the users of many filters for tokens are. */
  static final class Nameless {}

  /** Signs in, and loads a user from the session only if somebody asks for it. */
  @Configuration(proxyBeanMethods = false)
  @Import(Users.class)
  static class Signed {
    @Bean
    AtomicInteger loads() {
      return new AtomicInteger();
    }

    @Bean
    SecurityFilterChain signIns(HttpSecurity http, AtomicInteger loads) throws Exception {
      return http.authorizeHttpRequests(each -> each.anyRequest().permitAll())
          .securityContext(each -> each.securityContextRepository(new Sessions(loads)))
          .addFilterBefore(new SignIn(), AuthorizationFilter.class)
          .build();
    }
  }

  static final class SignIn extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      if (request.getHeader("X-Nameless") != null) {
        SecurityContextHolder.setContext(context(new Nameless()));
      }
      chain.doFilter(request, response);
    }
  }

  private static SecurityContext context(Object user) {
    return new SecurityContextImpl(new UsernamePasswordAuthenticationToken(user, null, List.of()));
  }

  /** Counts the reads. */
  private static final class Sessions implements SecurityContextRepository {
    private final AtomicInteger loads;

    Sessions(AtomicInteger loads) {
      this.loads = loads;
    }

    @Override
    @SuppressWarnings("deprecation") // the interface still has it
    public SecurityContext loadContext(HttpRequestResponseHolder holder) {
      return loadDeferredContext(holder.getRequest()).get();
    }

    @Override
    public DeferredSecurityContext loadDeferredContext(HttpServletRequest request) {
      return new DeferredSecurityContext() {
        private @Nullable SecurityContext loaded;

        @Override
        public SecurityContext get() {
          SecurityContext known = loaded;
          if (known == null) {
            loads.incrementAndGet();
            known = context("ann");
            loaded = known;
          }
          return known;
        }

        @Override
        public boolean isGenerated() {
          return false;
        }
      };
    }

    @Override
    public void saveContext(
        SecurityContext context, HttpServletRequest request, HttpServletResponse response) {}

    @Override
    public boolean containsContext(HttpServletRequest request) {
      return true;
    }
  }

  @RestController
  static class Users {
    @GetMapping("/public")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "public")
    String forAll() {
      return "public";
    }

    @GetMapping("/by-user")
    @RateLimit(limit = 3, window = 60, by = By.USER, name = "by-user")
    String byUser() {
      return "user";
    }
  }

  @Test
  void loadsNoSessionWhereNothingNeedsTheUser() throws Exception {
    try (MvcServer server =
        MvcServer.start(
            List.of(App.class, Signed.class),
            // Else Spring MVC reads the user of each request for its own event.
            "spring.mvc.publish-request-handled-events=false")) {
      AtomicInteger loads = server.context().getBean("loads", AtomicInteger.class);
      assertEquals(List.of(200, 200), server.statuses(2, "/public", MvcContract.caller()));
      assertEquals(0, loads.get());
      for (int i = 0; i < 3; i++) {
        assertEquals(200, server.get("/by-user", MvcContract.caller()).status());
      }
      assertEquals(429, server.get("/by-user", MvcContract.caller()).status());
      assertEquals(4, loads.get());
    }
  }

  @Test
  void countsUsersWithoutANameByAddress() throws Exception {
    try (MvcServer server = MvcServer.start(List.of(App.class, Signed.class))) {
      String[] caller = MvcContract.caller("X-Nameless", "yes");
      assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/by-user", caller));
      assertEquals(200, server.get("/by-user", MvcContract.caller("X-Nameless", "yes")).status());
    }
  }
}
