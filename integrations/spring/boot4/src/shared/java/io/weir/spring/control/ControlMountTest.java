package io.weir.spring.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.seeds.Seeds;
import io.weir.spring.CheapPasswords;
import io.weir.spring.operations.BootedApplication;
import io.weir.spring.operations.OpenToAll;
import io.weir.spring.operations.Plain;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.Random;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The control API in an application with Spring Security, Spring MVC and a Jersey of its own. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class ControlMountTest {
  private static final String ADMIN = "/weir/v1/admin/ratelimit";
  private static final String[] MOUNTED = {"weir.control.path=/weir", "weir.rules=datasource:"};

  /** Signs in by HTTP Basic. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(CheapPasswords.class)
  static class Shop {
    @Bean
    SecurityFilterChain signIn(HttpSecurity http) throws Exception {
      return http.csrf(csrf -> csrf.ignoringRequestMatchers("/weir/**"))
          .authorizeHttpRequests(
              all ->
                  all.requestMatchers("/weir/v1/console/**")
                      .permitAll()
                      .anyRequest()
                      .authenticated())
          .httpBasic(Customizer.withDefaults())
          .build();
    }

    @Bean
    UserDetailsService users(PasswordEncoder passwords) {
      User.UserBuilder user = User.builder().passwordEncoder(passwords::encode);
      return new InMemoryUserDetailsManager(
          user.username("root").password("root").roles("weir-admin").build(),
          user.username("alice").password("alice").roles("USER").build());
    }

    @Bean
    Hello hello() {
      return new Hello();
    }

    @Bean
    ResourceConfig jersey() {
      return new JerseyApplication();
    }
  }

  /** A controller beside the servlet. */
  @RestController
  static class Hello {
    @GetMapping("/hello")
    String hello() {
      return "hello";
    }

    @GetMapping("/greet/{name}")
    @RateLimit(limit = 3, window = 3_600, name = "greet", by = By.USER)
    String greet(@PathVariable("name") String name) {
      return name;
    }
  }

  /** A Jersey application beside the servlet's own. */
  @ApplicationPath("/jersey")
  static final class JerseyApplication extends ResourceConfig {
    JerseyApplication() {
      register(Limited.class);
    }
  }

  /** A resource of it. */
  @Path("limited")
  public static final class Limited {
    @GET
    @RateLimit(limit = 2, window = 3_600, name = "limited")
    public String get() {
      return "limited";
    }
  }

  private static HttpRequest.Builder as(BootedApplication application, String user, String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(application.uri(path));
    byte[] login = (user + ":" + user).getBytes(StandardCharsets.UTF_8);
    return user.isEmpty()
        ? request
        : request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login));
  }

  private static int get(BootedApplication application, String user, String path) {
    return application.send(as(application, user, path)).statusCode();
  }

  private static HttpResponse<String> put(BootedApplication application, String path, String json) {
    String own = application.uri("/").toString();
    return application.send(
        as(application, "root", path)
            .header("Content-Type", "application/json")
            .header("Origin", own.substring(0, own.length() - 1))
            .header("X-Weir", "1")
            .PUT(BodyPublishers.ofString(json)));
  }

  @Test
  void isOpenToTheRoleAlone() {
    try (BootedApplication application =
        BootedApplication.start(
            Shop.class, MOUNTED[0], MOUNTED[1], "weir.control.sign-in=/login")) {
      HttpResponse<String> script =
          application.send(
              as(application, "", "/weir/v1/session").header("X-Requested-With", "XMLHttpRequest"));
      assertEquals(401, script.statusCode());
      assertEquals(
          Optional.empty(),
          script.headers().firstValue("WWW-Authenticate"),
          "the console offers its own sign-in, not the browser's dialog");
      assertEquals(
          "/login",
          BootedApplication.json(application.get("/weir/v1/console/sign-in"))
              .path("signIn")
              .asText(),
          "to everybody, since Spring Security answers the API's requests");
      assertEquals(401, get(application, "", ADMIN + "/rules"));
      assertEquals(403, get(application, "alice", ADMIN + "/rules"));
      assertEquals(200, get(application, "root", ADMIN + "/rules"));
      assertEquals(200, get(application, "alice", "/hello"));
    }
  }

  @Test
  void theRoleMayHaveTheNameOfTheApplication() {
    try (BootedApplication application =
        BootedApplication.start(
            Shop.class, MOUNTED[0], MOUNTED[1], "weir.control.role.admin=USER")) {
      assertEquals(200, get(application, "alice", ADMIN + "/rules"));
      assertEquals(403, get(application, "root", ADMIN + "/rules"));
    }
  }

  @Test
  void aSwitchNeedsReasonAndEnd() {
    try (BootedApplication application = BootedApplication.start(Shop.class, MOUNTED)) {
      String until = Instant.now().plusSeconds(3_600).toString();
      String json = "{\"state\":\"OFF\",\"until\":\"" + until + "\",\"reason\":\"trouble\"}";
      HttpResponse<String> set = put(application, ADMIN + "/switches/limited", json);
      assertEquals(200, set.statusCode(), set.body());
      assertEquals("root", BootedApplication.json(set).path("setBy").asText());
      String without = json.replace("trouble", "");
      assertEquals(400, put(application, ADMIN + "/switches/limited", without).statusCode());
      String endless = "{\"state\":\"OFF\",\"reason\":\"trouble\"}";
      assertEquals(400, put(application, ADMIN + "/switches/limited", endless).statusCode());
    }
  }

  @Test
  void worksBesideTheJerseyOfSpringBootWhichHasTheLimitsOfTheContext() {
    try (BootedApplication application = BootedApplication.start(Shop.class, MOUNTED)) {
      assertTold(Optional.empty(), application, "alice", "/limited");
      assertEquals(200, get(application, "alice", "/jersey/limited"));
      assertTold(Optional.of(true), application, "alice", "/limited");
      assertEquals(200, get(application, "alice", "/jersey/limited"));
      assertTold(Optional.of(false), application, "alice", "/limited");
      assertEquals(429, get(application, "alice", "/jersey/limited"));
      assertToldOfControllers(application);
      assertTrue(
          application.weir().policies().stream()
              .anyMatch(each -> each.policy().name().equals("limited")),
          application.weir().table());
      assertEquals(200, get(application, "root", ADMIN + "/rules"));
    }
  }

  /** Compares what an explanation says of the next request to a controller with what it gets. */
  private static void assertToldOfControllers(BootedApplication application) {
    assertEquals(200, get(application, "alice", "/hello"));
    assertTold(Optional.of(true), application, "alice", "/hello");
    assertTold(Optional.empty(), application, "alice", "/greet/{name}");
    assertEquals(200, get(application, "root", "/greet/first"));
    Random random = new Random(Seeds.first());
    for (int i = 0; i < 12; i++) {
      String user = random.nextBoolean() ? "alice" : "root";
      JsonNode told = explained(application, user, "/greet/{name}");
      int status = get(application, user, "/greet/" + i);
      assertEquals(String.valueOf(status == 200), told.path("allowed").asText(), told::toString);
    }
  }

  private static JsonNode explained(BootedApplication application, String user, String endpoint) {
    String own = application.uri("/").toString();
    HttpResponse<String> told =
        application.send(
            as(application, "root", "/weir/v1/ratelimit/explain")
                .header("Content-Type", "application/json")
                .header("Origin", own.substring(0, own.length() - 1))
                .header("X-Weir", "1")
                .POST(
                    BodyPublishers.ofString(
                        "{\"userId\": \"%s\", \"ip\": \"127.0.0.1\", \"method\": \"GET\", \"endpoint\": \"%s\"}"
                            .formatted(user, endpoint))));
    assertEquals(200, told.statusCode(), told.body());
    return BootedApplication.json(told);
  }

  private static void assertTold(
      Optional<Boolean> expected, BootedApplication application, String user, String endpoint) {
    JsonNode told = explained(application, user, endpoint);
    assertEquals(
        expected.map(String::valueOf).orElse("null"),
        told.path("allowed").asText(),
        told::toString);
  }

  /** Not by way of Spring MVC, whose filter notes the Weir of each request. */
  @Test
  void theJerseyOfEachContextHasTheWeirOfItsOwn() {
    String alone = "spring.autoconfigure.exclude=io.weir.spring.web.WeirWebMvcAutoConfiguration";
    try (BootedApplication first = BootedApplication.start(Shop.class, alone);
        BootedApplication second =
            BootedApplication.start(Shop.class, alone, "weir.policy.limited.limit=1")) {
      assertEquals(200, get(second, "alice", "/jersey/limited"));
      assertEquals(429, get(second, "alice", "/jersey/limited"));
      assertEquals(200, get(first, "alice", "/jersey/limited"));
      assertEquals(200, get(first, "alice", "/jersey/limited"));
      assertEquals(429, get(first, "alice", "/jersey/limited"));
    }
  }

  @Test
  void aPathThatSpringDoesNotKnowIsReported(@TempDir java.nio.file.Path directory) {
    assertFails(
        "weir.control.path = /weir: mounts the control API only if it is in Spring's configuration",
        () -> {
          try {
            BootedApplication.withFile(directory, "weir.control.path=/weir", Plain.class).close();
          } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
          }
        });
  }

  @Test
  void isNotLimitedItself() {
    try (BootedApplication application =
        BootedApplication.start(
            Shop.class,
            MOUNTED[0],
            MOUNTED[1],
            "weir.application.limit=1",
            "weir.application.window=1h")) {
      for (int i = 0; i < 3; i++) {
        assertEquals(200, get(application, "root", ADMIN + "/rules"));
      }
    }
  }

  @Test
  void canStandAtTheRoot() {
    try (BootedApplication application =
        BootedApplication.start(Shop.class, "weir.control.path=/", "weir.rules=datasource:")) {
      assertEquals(200, get(application, "root", "/v1/admin/ratelimit/rules"));
      assertEquals(200, get(application, "alice", "/hello"));
    }
  }

  @Test
  void isNotThereUnlessAsked() {
    try (BootedApplication application =
        BootedApplication.start(Shop.class, "weir.rules=datasource:")) {
      assertEquals(404, get(application, "root", ADMIN + "/rules"));
    }
  }

  @Test
  void saysWhatIsMissing() {
    assertFails("Set weir.rules", () -> start(OpenToAll.class, "weir.control.path=/weir"));
    assertFails(
        "must be a path such as /weir",
        () -> start(OpenToAll.class, "weir.control.path=weir", "weir.rules=datasource:"));
    assertFails(
        "needs an application with servlets",
        () ->
            BootedApplication.start(
                    WebApplicationType.NONE,
                    Plain.class,
                    "weir.control.path=/weir",
                    "weir.rules=datasource:")
                .close());
  }

  private static void start(Class<?> configuration, String... properties) {
    BootedApplication.start(configuration, properties).close();
  }

  private static void assertFails(String message, Runnable start) {
    Throwable failed = assertThrows(RuntimeException.class, start::run);
    StringBuilder all = new StringBuilder();
    for (Throwable each = failed; each != null; each = each.getCause()) {
      all.append(each).append('\n');
    }
    assertNotNull(failed);
    assertTrue(all.toString().contains(message), all.toString());
  }
}
