package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.micrometer.observation.ObservationHandler;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spring.UserlessCondition;
import io.weir.spring.web.MvcServer.Reply;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;

/** Limits around Spring Security, with users of JSON web tokens. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class MvcSecurityTest {
  private static final byte[] SECRET =
      "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private static MvcServer server;
  private static BlockingQueue<OfCaller> observed;

  /** The values that an observation has at its end. */
  record Observation(@Nullable String pattern, int status, @Nullable Throwable error) {}

  /** An observation, with the address of its caller. */
  record OfCaller(String caller, Observation observation) {}

  /** The state of the application that the test reads. */
  record Observed(BlockingQueue<OfCaller> ended) {}

  @Configuration(proxyBeanMethods = false)
  static class Secured {
    @Bean
    SecurityFilterChain secured(HttpSecurity http) throws Exception {
      return http.authorizeHttpRequests(
              each ->
                  each.requestMatchers("/secured/**", "/ip")
                      .authenticated()
                      .anyRequest()
                      .permitAll())
          .sessionManagement(each -> each.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
          .csrf(each -> each.disable())
          .cors(each -> {})
          .oauth2ResourceServer(each -> each.jwt(jwt -> {}))
          .addFilterBefore(new Throwing(), AuthorizationFilter.class)
          .build();
    }

    @Bean
    JwtDecoder jwtDecoder() {
      return NimbusJwtDecoder.withSecretKey(new SecretKeySpec(SECRET, "HmacSHA256")).build();
    }

    @Bean
    UrlBasedCorsConfigurationSource corsConfigurationSource() {
      CorsConfiguration rules = new CorsConfiguration();
      rules.setAllowedOrigins(List.of("https://shop.example"));
      rules.setExposedHeaders(List.of("Retry-After"));
      UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
      CorsConfiguration contradictory = new CorsConfiguration();
      contradictory.setAllowedOrigins(List.of("*"));
      contradictory.setAllowCredentials(true);
      source.registerCorsConfiguration("/secured/contradictory", contradictory);
      source.registerCorsConfiguration("/**", rules);
      return source;
    }

    @Bean
    Observed observed() {
      return new Observed(new LinkedBlockingQueue<>());
    }

    @Bean
    ObservationHandler<ServerRequestObservationContext> recorder(Observed observed) {
      return new ObservationHandler<>() {
        @Override
        public void onStart(ServerRequestObservationContext context) {
          context.put(OfCaller.class, context.getCarrier().getHeader("X-Forwarded-For"));
        }

        @Override
        public void onStop(ServerRequestObservationContext context) {
          Observation ended =
              new Observation(
                  context.getPathPattern(), context.getResponse().getStatus(), context.getError());
          observed.ended().add(new OfCaller(context.getRequired(OfCaller.class), ended));
        }

        @Override
        public boolean supportsContext(io.micrometer.observation.Observation.Context context) {
          return context instanceof ServerRequestObservationContext;
        }
      };
    }

    @Bean
    FilterRegistrationBean<Early> early() {
      FilterRegistrationBean<Early> registration = new FilterRegistrationBean<>(new Early());
      registration.setOrder(-101); // between Weir and Spring Security
      return registration;
    }

    @Bean
    UserlessCondition passwords() {
      return new UserlessCondition(request -> request.query("password").isPresent());
    }

    @Bean
    UserlessCondition users() {
      return new UserlessCondition(request -> request.user().isPresent());
    }

    @Bean
    Accounts accounts() {
      return new Accounts();
    }
  }

  /** Rejects requests before Spring Security, which asks the mappings itself in some versions. */
  static final class Early extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      if (request.getHeader("X-Early") != null) {
        response.setStatus(403);
      } else {
        chain.doFilter(request, response);
      }
    }
  }

  /** Fails within the chain of Spring Security. */
  private static final class Throwing extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      if (request.getHeader("X-Throw") != null) {
        throw new IllegalStateException("on purpose");
      }
      chain.doFilter(request, response);
    }
  }

  @RestController
  static class Accounts {
    @GetMapping("/secured/accounts/{id}")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "secured")
    String account(@PathVariable("id") String id) {
      return id;
    }

    /** For other origins by rules that Spring rejects when it applies them. */
    @GetMapping("/secured/contradictory")
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "contradictory")
    String contradictory() {
      return "contradictory";
    }

    @GetMapping("/secured/user")
    @RateLimit(limit = 3, window = 60, by = By.USER, name = "secured-user")
    String user() {
      return "user";
    }

    @GetMapping("/secured/login")
    @RateLimit(limit = 3, window = 60, when = "passwords", name = "secured-login")
    String login() {
      return "login";
    }

    @GetMapping("/secured/mistaken")
    @RateLimit(limit = 3, window = 60, when = "users", name = "secured-mistaken")
    String mistaken() {
      return "mistaken";
    }

    @GetMapping("/secured/user-later")
    @RateLimit(limit = 3, window = 60, by = By.USER, name = "secured-user-later")
    Callable<String> userLater() {
      return () -> "later";
    }

    @GetMapping("/secured/both")
    @RateLimit(limit = 4, window = 60, by = By.IP, name = "both-ip")
    @RateLimit(limit = 2, window = 60, by = By.USER, name = "both-user")
    String both() {
      return "both";
    }
  }

  @BeforeAll
  static void start() {
    server = MvcServer.start(List.of(MvcApplication.class, Secured.class));
    observed = server.context().getBean(Observed.class).ended();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String[] caller(String... more) {
    return MvcContract.caller(more);
  }

  private static String bearer(String user) throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader(JWSAlgorithm.HS256),
            new JWTClaimsSet.Builder()
                .subject(user)
                .expirationTime(Date.from(Instant.now().plusSeconds(3600)))
                .build());
    token.sign(new MACSigner(SECRET));
    return "Bearer " + token.serialize();
  }

  @Test
  void countsRequestsThatSecurityRejects() throws Exception {
    String[] caller = caller();
    List<Reply> rejected = server.get(3, "/secured/accounts/1", caller);
    assertEquals(List.of(401, 401, 401), rejected.stream().map(Reply::status).toList());
    rejected.forEach(MvcContract::assertFields);
    MvcContract.assertRefusal(server.get("/secured/accounts/1", caller));
  }

  @Test
  void countsWrongPasswordsWhereTheConditionNeedsNoUser() throws Exception {
    String[] caller = caller();
    assertEquals(List.of(401, 401, 401, 401), server.statuses(4, "/secured/login", caller));
    String path = "/secured/login?password=guess";
    assertEquals(List.of(401, 401, 401, 429, 429, 429, 429, 429), server.statuses(8, path, caller));
  }

  @Test
  void decidesAfterTheSignInWhatReadsTheUserAllTheSame() throws Exception {
    assertEquals(List.of(401, 401, 401, 401), server.statuses(4, "/secured/mistaken", caller()));
    String[] ann = caller("Authorization", bearer("ann"));
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/secured/mistaken", ann));
  }

  @Test
  void countsUsersOfTokens() throws Exception {
    for (String path : List.of("/secured/user", "/secured/user-later")) {
      String ann = bearer("ann");
      assertEquals(
          List.of(200, 200, 200, 429), server.statuses(4, path, caller("Authorization", ann)));
      assertEquals(429, server.get(path, caller("Authorization", ann)).status());
      assertEquals(2, server.get(path, caller("Authorization", bearer("ben"))).remaining());
    }
  }

  @Test
  void decidesNothingByUserForACallerThatIsRejected() throws Exception {
    String[] caller = caller();
    assertEquals(List.of(401, 401, 401, 401), server.statuses(4, "/secured/user", caller));
    assertEquals(List.of(), server.get("/secured/user", caller).fields());
  }

  @Test
  void takesNoUserOfAnAnonymousCaller() throws Exception {
    assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/user", caller()));
    assertEquals(2, server.get("/user", caller()).remaining());
  }

  @Test
  void keepsTheChargesOfTheFirstPhaseWhenTheSecondRefuses() throws Exception {
    String[] caller = caller("Authorization", bearer("carl"));
    assertEquals(List.of(200, 200, 429, 429), server.statuses(4, "/secured/both", caller));
    Reply other =
        server.get("/secured/both", caller[0], caller[1], "Authorization", bearer("dora"));
    assertEquals(429, other.status(), "the address is used up");
    assertTrue(other.body().contains("both-ip"), other::body);
  }

  @Test
  void countsExceptionsWithinSecurity() throws Exception {
    String[] caller = caller("X-Throw", "yes");
    List<Reply> failed = server.get(3, "/failures", caller);
    assertEquals(List.of(500, 500, 500), failed.stream().map(Reply::status).toList());
    failed.forEach(MvcContract::assertFields);
    MvcContract.assertRefusal(server.get("/failures", caller));
  }

  /** Waits for the next observation of a caller. Those of earlier tests may end late. */
  private static Observation observation(String[] caller) throws InterruptedException {
    for (; ; ) {
      OfCaller ended = observed.poll(60, TimeUnit.SECONDS);
      assertTrue(ended != null, "no observation has ended");
      if (ended.caller().equals(caller[1])) {
        return ended.observation();
      }
    }
  }

  @Test
  void leavesObservationsOfOtherResponsesAsTheyAre() throws Exception {
    String[] early = caller("X-Early", "yes");
    assertEquals(403, server.get("/items/a/parts/1", early).status());
    assertEquals(new Observation(null, 403, null), observation(early));
    String[] caller = caller();
    assertEquals(200, server.get("/items/a/parts/1", caller).status());
    assertEquals(
        new Observation("/items/{id:[a-z]+}/parts/{part}", 200, null), observation(caller));
  }

  @Test
  void isObservedByItsPatternWhenRefused() throws Exception {
    String[] caller = caller();
    assertEquals(401, server.get(3, "/secured/accounts/1", caller).get(2).status());
    assertEquals(429, server.get("/secured/accounts/1", caller).status());
    for (int i = 0; i < 3; i++) {
      assertEquals(401, observation(caller).status());
    }
    assertEquals(new Observation("/secured/accounts/{id}", 429, null), observation(caller));
    String[] calls = caller();
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/calls", calls));
    observation(calls);
    observation(calls);
    assertEquals(new Observation("/calls", 429, null), observation(calls));
  }

  @Test
  void letsOtherOriginsReadRefusalsThatMayReadResponses() throws Exception {
    String[] caller = caller("Origin", "https://shop.example");
    server.get(3, "/secured/accounts/1", caller);
    Reply refusal = server.get("/secured/accounts/1", caller);
    MvcContract.assertRefusal(refusal);
    assertEquals("https://shop.example", refusal.field("Access-Control-Allow-Origin").orElse(""));
    assertEquals("Retry-After", refusal.field("Access-Control-Expose-Headers").orElse(""));
    Reply foreign =
        server.get("/secured/accounts/1", caller[0], caller[1], "Origin", "https://other.example");
    MvcContract.assertRefusal(foreign);
    assertFalse(foreign.field("Access-Control-Allow-Origin").isPresent());
  }

  @Test
  void letsAllowedOriginsReadRefusalsWhateverTheirMethod() throws Exception {
    String[] caller = caller("Origin", "https://shop.example");
    for (int i = 0; i < 3; i++) { // the rules allow no POST
      Reply rejected = server.send("POST", "/posted", post(caller));
      assertEquals(403, rejected.status());
      assertEquals("Invalid CORS request", rejected.body());
    }
    Reply refusal = server.send("POST", "/posted", post(caller));
    MvcContract.assertRefusal(refusal);
    assertEquals("https://shop.example", refusal.field("Access-Control-Allow-Origin").orElse(""));
  }

  private static String[] post(String... caller) {
    return Stream.concat(Stream.of(caller), Stream.of("Content-Type", "text/plain"))
        .toArray(String[]::new);
  }

  @Test
  void refusesThoughTheRulesForOtherOriginsFail() throws Exception {
    String[] caller = caller("Origin", "https://shop.example");
    server.get(3, "/secured/contradictory", caller[0], caller[1]);
    Reply refusal = server.get("/secured/contradictory", caller);
    MvcContract.assertRefusal(refusal);
    assertFalse(refusal.field("Access-Control-Allow-Origin").isPresent());
  }

  @Test
  void countsNoPreflight() throws Exception {
    String[] caller = caller();
    Reply preflight =
        server.send(
            "OPTIONS",
            "/ip",
            caller[0],
            caller[1],
            "Origin",
            "https://shop.example",
            "Access-Control-Request-Method",
            "GET");
    assertEquals(200, preflight.status());
    assertEquals(List.of(), preflight.fields());
    assertEquals(2, server.get("/ip", caller).remaining());
  }
}
