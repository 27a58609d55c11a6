package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.rules.Rules;
import io.weir.rules.SwitchState;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.seeds.DeepOnly;
import io.weir.seeds.Seeds;
import io.weir.servlet.RateLimitFilter;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.net.URI;
import java.net.http.HttpRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/**
 * An explanation says what the next request to this node gets while nothing else runs, in
 * applications that limit endpoints of their own, and of requests that others serve.
 */
class NextDecisionTest {
  private static final String EXPLAIN = "/v1/ratelimit/explain";

  /** A condition that is asked before the sign-in, and again behind it if it has read the user. */
  private record Early(Predicate<RequestInfo> condition) implements RequestCondition {
    @Override
    public boolean test(RequestInfo request) {
      return condition.test(request);
    }

    @Override
    public boolean needsUser() {
      return false;
    }
  }

  /** The code of the application, of which a test makes some fail. */
  private static final class Parts {
    volatile boolean failing;
    volatile Optional<CountDownLatch> hanging = Optional.empty();

    WeirBuilder in(WeirBuilder weir) {
      return weir.requestCondition("odd", this::isOdd)
          .requestCondition("early", new Early(request -> request.headers("X-Odd").contains("1")))
          .requestCondition("users", new Early(request -> request.user().isPresent()))
          .tierResolver((request, policy) -> tier(request))
          .keyResolver("session", request -> request.cookie("session"));
    }

    private boolean isOdd(RequestInfo request) {
      if (failing) {
        throw new IllegalStateException("no session");
      }
      hanging.ifPresent(Parts::await);
      return request.headers("X-Odd").contains("1");
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }

    private static CallerTier tier(RequestInfo request) {
      return request
          .user()
          .filter(each -> each.startsWith("gold"))
          .map(any -> CallerTier.named("gold"))
          .orElse(CallerTier.none());
    }
  }

  /** The endpoints of JAX-RS. */
  @Path("/")
  public static class Shop {
    @GET
    @Path("shop")
    @RateLimit(
        name = "shop",
        limit = 2,
        window = 60,
        by = By.USER,
        tiers = @Tier(name = "gold", limit = 4))
    public String shop() {
      return "open";
    }

    @POST
    @Path("shop")
    @RateLimit(name = "buy", limit = 1, window = 60, by = By.USER)
    public String buy() {
      return "bought";
    }

    @GET
    @Path("items/{id}")
    @RateLimit(name = "items", limit = 3, window = 60, by = By.IP)
    @RateLimit(name = "item", limit = 2, window = 60, by = By.KEY, key = "path:id")
    public String item(@PathParam("id") String id) {
      return id;
    }

    @GET
    @Path("odd")
    @RateLimit(name = "odd", limit = 1, window = 60, by = By.USER, when = "odd")
    @RateLimit(name = "early", limit = 3, window = 60, by = By.IP, when = "early")
    @RateLimit(name = "users", limit = 3, window = 60, by = By.IP, when = "users")
    public String odd() {
      return "odd";
    }

    @GET
    @Path("session")
    @RateLimit(name = "session", limit = 2, window = 60, by = By.KEY, key = "session")
    public String session() {
      return "session";
    }

    @GET
    @Path("open")
    public String open() {
      return "open";
    }
  }

  static Server jersey(Weir weir, Rules rules) {
    ResourceConfig application =
        new ResourceConfig(Shop.class)
            .register(new RateLimitFeature(weir))
            .register(new TestSignIn())
            .register(new ControlFeature(weir, rules));
    HttpServer server =
        GrizzlyHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), application);
    int port = server.getListener("grizzly").getPort();
    return new Server(URI.create("http://127.0.0.1:" + port), server::shutdownNow);
  }

  /** A servlet whose methods are limited. */
  public static class ShopServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    @RateLimit(
        name = "shop",
        limit = 2,
        window = 60,
        by = By.USER,
        tiers = @Tier(name = "gold", limit = 4))
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(200);
    }

    @Override
    @RateLimit(name = "buy", limit = 1, window = 60, by = By.USER)
    protected void doPost(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(200);
    }
  }

  /** A servlet with a condition and a key. */
  public static class OddServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    @RateLimit(name = "odd", limit = 1, window = 60, by = By.USER, when = "odd")
    @RateLimit(name = "session", limit = 2, window = 60, by = By.KEY, key = "session")
    @RateLimit(name = "early", limit = 3, window = 60, by = By.IP, when = "early")
    @RateLimit(name = "users", limit = 3, window = 60, by = By.IP, when = "users")
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(200);
    }
  }

  /** A servlet without any annotation. */
  public static class OpenServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(200);
    }
  }

  static Server servlets(Weir weir, Rules rules) {
    return TomcatServer.start(weir, rules, "", "/v1/*", application -> limit(application, weir));
  }

  private static void limit(ServletContext application, Weir weir) {
    application.addServlet("shop", new ShopServlet()).addMapping("/shop");
    application.addServlet("odd", new OddServlet()).addMapping("/odd", "/session");
    application.addServlet("open", new OpenServlet()).addMapping("/open", "/items/*");
    // Tomcat runs filters in this order; the test's sign-in is added after this one.
    FilterRegistration.Dynamic signIn = application.addFilter("first", new TestSignInFilter());
    signIn.addMappingForUrlPatterns(null, false, "/*");
    FilterRegistration.Dynamic limits = application.addFilter("limits", new RateLimitFilter(weir));
    limits.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
  }

  /** One application and random requests to it, each of which is explained before it is sent. */
  private static final class Run implements AutoCloseable {
    private static final List<String> USERS = List.of("", "ann", "bob", "gold-eve");
    private static final List<String> PATHS =
        List.of("/shop", "/shop", "/items/7", "/items/8", "/odd", "/session", "/open");

    private final Random random;
    private final ControlApp app;
    private final boolean hasTemplates;
    private final Set<String> seen = new HashSet<>();
    private final Set<String> rows = new HashSet<>();
    private JsonNode last = MissingNode.getInstance();
    private int decided;

    Run(Random random, boolean hasTemplates, BiFunction<Weir, Rules, Server> start) {
      this.random = random;
      this.hasTemplates = hasTemplates;
      this.app = new ControlApp(settings(random), new Parts()::in, start);
    }

    private static Map<String, String> settings(Random random) {
      return random.nextBoolean()
          ? Map.of()
          : Map.ofEntries(
              Map.entry("weir.application.limit", "12"),
              Map.entry("weir.application.window", "60s"),
              Map.entry("weir.application.by", "user"),
              Map.entry("weir.application.except", "/session, /items/*"),
              Map.entry("weir.default.limit", "3"),
              Map.entry("weir.default.window", "60s"),
              Map.entry("weir.default.except", random.nextBoolean() ? "/open" : "/items/8"),
              Map.entry("weir.policy.wide.url", "/items/*"),
              Map.entry("weir.policy.wide.except", "/items/7"),
              Map.entry("weir.policy.wide.limit", "5"),
              Map.entry("weir.policy.wide.window", "60s"));
    }

    private <T> T one(List<T> all) {
      return all.get(random.nextInt(all.size()));
    }

    void step() {
      switch (random.nextInt(10)) {
        case 0 -> {
          try {
            app.save(rule());
          } catch (InvalidRuleException taken) {
            // A rule for the same tier and pattern is in force.
          }
        }
        case 1 -> {
          String user = one(USERS.subList(1, 4));
          if (rows.add(user)) {
            app.user(user, one(List.of("free", "gold")));
          }
        }
        case 2 -> app.ticker.advance(Duration.ofSeconds(1 + random.nextInt(40)));
        default -> request();
      }
    }

    private RuleBuilder rule() {
      RuleBuilder rule =
          Rule.builder(
                  one(List.of("*", "free", "gold")),
                  one(List.of("/shop", "/items/{id}", "*", "policy:shop", "policy:items", "/open")))
              .name("rule-" + random.nextInt(1_000_000_000))
              .limit(1 + random.nextInt(8))
              .state(one(List.of(RuleState.ENFORCED, RuleState.ENFORCED, RuleState.SHADOW)));
      return random.nextInt(4) == 0 ? rule.countBy(List.of("IP")) : rule;
    }

    private void request() {
      String user = one(USERS);
      String path = one(PATHS);
      String method = path.equals("/shop") && random.nextInt(3) == 0 ? "POST" : "GET";
      String odd = random.nextBoolean() ? "1" : "2";
      String session = one(List.of("s1", "s2"));
      boolean isWhole = random.nextInt(4) > 0;
      Optional<Boolean> told = explain(user, path, method, odd, session, isWhole);
      HttpRequest.Builder request =
          app.request(path, user.isEmpty() ? "" : user + "/")
              .header("X-Odd", odd)
              .header("Cookie", "session=" + session);
      int status = app.send(request.method(method, HttpRequest.BodyPublishers.noBody())).status();
      assertTrue(status == 200 || status == 429, path + " " + status);
      if (told.isPresent()) {
        decided++;
        assertEquals(
            told.get(), status == 200, () -> method + " " + path + " of " + user + ": " + last);
      } else if (isWhole && seen.contains(method + path)) {
        throw new AssertionError(method + " " + path + " isn't decided: " + last);
      }
      if (status == 200) {
        seen.add(method + path);
      }
    }

    private Optional<Boolean> explain(
        String user, String path, String method, String odd, String session, boolean isWhole) {
      String id = path.startsWith("/items/") ? path.substring("/items/".length()) : "";
      String endpoint = hasTemplates && !id.isEmpty() ? "/items/{id}" : path;
      String question =
          "{"
              + (user.isEmpty() ? "" : "\"userId\": \"" + user + "\", ")
              + (user.isEmpty() || isWhole ? "\"ip\": \"127.0.0.1\", " : "")
              + (isWhole
                  ? "\"attributes\": {\"header:X-Odd\": \""
                      + odd
                      + "\", \"cookie:session\": \""
                      + session
                      + "\", \"path:id\": \""
                      + id
                      + (user.isEmpty()
                          ? ""
                          : "\", \"header:Authorization\": \"Bearer " + user + "/")
                      + "\"}, "
                  : "")
              + "\"method\": \""
              + method
              + "\", \"endpoint\": \""
              + endpoint
              + "\"}";
      last = app.post(EXPLAIN, question).body();
      JsonNode allowed = last.get("allowed");
      if (allowed.isNull()) {
        assertTrue(last.get("decision").isNull(), last::toString);
        assertFalse(last.get("undecided").isEmpty(), last::toString);
        return Optional.empty();
      }
      assertEquals(allowed, last.at("/decision/allowed"), last::toString);
      return Optional.of(allowed.asBoolean());
    }

    @Override
    public void close() {
      app.close();
    }
  }

  private static void assertTold(boolean hasTemplates, BiFunction<Weir, Rules, Server> start) {
    Seeds.each(
        2,
        random -> {
          try (Run run = new Run(random, hasTemplates, start)) {
            for (int i = 0; i < 80; i++) {
              run.step();
            }
            assertTrue(run.decided > 20, "only " + run.decided + " were decided");
          }
        });
  }

  @Test
  void whatAnExplanationSaysIsWhatTheNextRequestToJaxrsGets() {
    assertTold(true, NextDecisionTest::jersey);
  }

  @Test
  void whatAnExplanationSaysIsWhatTheNextRequestToAServletGets() {
    assertTold(false, NextDecisionTest::servlets);
  }

  private static String one(Random random, String... all) {
    return all[random.nextInt(all.length)];
  }

  @Test
  void whatAPolicyLeavesOutIsAdmittedByNoneInAnExplanation() {
    Map<String, String> settings =
        Map.of(
            "weir.application.limit", "1",
            "weir.application.window", "60s",
            "weir.application.except", "/open");
    try (ControlApp app = new ControlApp(settings, new Parts()::in, NextDecisionTest::servlets)) {
      for (int i = 0; i < 3; i++) {
        assertEquals(200, app.get("/open", "").status());
      }
      String anybody = "{\"ip\": \"127.0.0.1\", \"method\": \"GET\", \"endpoint\": \"/open\"}";
      JsonNode told = app.post(EXPLAIN, anybody).body();
      assertTrue(told.get("allowed").asBoolean(), told::toString);
      assertFalse(policy(told, "application").get("holds").asBoolean(), told::toString);
      String reason = policy(told, "application").get("reason").asText();
      assertTrue(reason.contains("the setting except"), reason);
      assertEquals(200, app.get("/items/1", "ann/").status());
      assertFalse(app.post(EXPLAIN, ask("/items/1")).body().get("allowed").asBoolean());
      assertExplainsCredentials(app);
    }
  }

  /** A user whose request isn't described may have signed in, or be known by other means. */
  private static void assertExplainsCredentials(ControlApp app) {
    String signedIn = ask("/open", ", \"attributes\": {\"header:Authorization\": \"Bearer ann/\"}");
    JsonNode told = app.post(EXPLAIN, signedIn).body();
    assertFalse(told.get("allowed").asBoolean(true), told::toString);
    assertEquals(429, app.get("/open", "ann/").status());
    JsonNode unknown = app.post(EXPLAIN, ask("/open")).body();
    assertTrue(unknown.get("allowed").isNull(), unknown::toString);
    assertTrue(unknown.get("undecided").toString().contains("header:Authorization"));
  }

  @Test
  void whatAnExplanationSaysIsWhatTheNextCheckGets() {
    Map<String, String> settings =
        Map.of(
            "weir.policy.wide.url", "/items/*",
            "weir.policy.wide.except", "/items/8",
            "weir.policy.wide.limit", "5",
            "weir.policy.wide.window", "60s",
            "weir.policy.wide.by", "user",
            "weir.default.limit", "3",
            "weir.default.window", "60s",
            "weir.default.by", "user",
            "weir.default.except", "/probes/*");
    Seeds.each(
        2,
        random -> {
          try (ControlApp app =
              new ControlApp(settings, (weir, rules) -> new GrizzlyTest().start(weir, rules))) {
            for (int i = 0; i < 60; i++) {
              if (i % 30 == 10) {
                app.save(
                    Rule.builder(random.nextBoolean() ? "*" : "free", i < 30 ? "/shop" : "/items/*")
                        .name("rule-" + i)
                        .limit(1 + random.nextInt(5)));
              }
              String question =
                  "{\"userId\": \"%s\", \"ip\": \"192.0.2.1\", \"method\": \"GET\", \"endpoint\": \"%s\"}"
                      .formatted(
                          List.of("ann", "bob").get(random.nextInt(2)),
                          one(
                              random,
                              "/shop",
                              "/items/7",
                              "/items/8",
                              "/x",
                              "/items/;x",
                              "/probes/a"));
              JsonNode told = app.post(EXPLAIN, question).body();
              JsonNode then = app.check(question).body();
              assertEquals(then.get("allowed"), told.get("allowed"), told::toString);
              assertEquals(then.get("retryAfter"), told.at("/decision/retryAfter"));
            }
          }
        });
  }

  private static ControlApp app(Parts parts) {
    return new ControlApp(Map.of(), parts::in, NextDecisionTest::jersey);
  }

  private static String ask(String endpoint) {
    return ask(endpoint, "");
  }

  private static String ask(String endpoint, String more) {
    return "{\"userId\": \"ann\", \"ip\": \"127.0.0.1\", \"method\": \"GET\", \"endpoint\": \""
        + endpoint
        + "\""
        + more
        + "}";
  }

  @Test
  void theAnnotatedPolicyOfAnEndpointRefusesInAnExplanationToo() {
    try (ControlApp app = app(new Parts())) {
      app.rule("*", "*", 6_000);
      for (int left = 1; left >= 0; left--) {
        assertEquals(200, app.get("/shop", "ann/").status());
        JsonNode told = app.post(EXPLAIN, ask("/shop")).body();
        assertEquals(left > 0, told.get("allowed").asBoolean(), told::toString);
        JsonNode shop = policy(told, "shop");
        assertEquals(left, shop.get("remaining").asLong(), told::toString);
        assertEquals("annotation", shop.get("source").asText());
      }
      assertEquals(429, app.get("/shop", "ann/").status());
    }
  }

  @Test
  void aHealthyStoreIsNeverSaidToBeUnread() {
    try (ControlApp app = app(new Parts())) {
      app.rule("*", "*", 6_000);
      app.rules
          .switches()
          .set(
              new PolicySwitch(
                  "shop",
                  SwitchState.SHADOW,
                  Instant.now().plusSeconds(3_600),
                  "a test",
                  "the test"));
      app.rules.refresh();
      assertEquals(200, app.get("/shop", "ann/").status());
      JsonNode told = app.post(EXPLAIN, ask("/shop")).body();
      for (JsonNode each : told.get("policies")) {
        assertFalse(each.get("unread").asBoolean(), told::toString);
      }
    }
  }

  @Test
  void aQuotaWithoutANameStandsOnce() {
    try (ControlApp app = app(new Parts())) {
      app.save(Rule.builder("free", "*").limit(1_000).window(RuleWindow.ofQuota()));
      assertEquals(200, app.get("/open", "ann/").status());
      JsonNode told = app.post(EXPLAIN, ask("/open")).body();
      assertEquals(1, told.get("policies").size(), told::toString);
      JsonNode quota = told.at("/policies/0");
      assertEquals(999, quota.get("remaining").asLong(), told::toString);
      assertFalse(quota.get("unread").asBoolean());
      assertTrue(quota.get("source").asText().startsWith("rule "), told::toString);
    }
  }

  @Test
  void whatNobodyHasRequestedYetIsNotDecided() {
    try (ControlApp app = app(new Parts())) {
      assertUndecided(app.post(EXPLAIN, ask("/shop")).body(), "since the start");
      assertUndecided(app.post(EXPLAIN, ask("policy:nothing")).body(), "no such policy");
    }
  }

  @Test
  void whatAResolverNeedsAndTheQuestionDoesNotGiveIsNotDecided() {
    try (ControlApp app = app(new Parts())) {
      assertEquals(200, app.get("/session", "ann/").status());
      JsonNode told = app.post(EXPLAIN, ask("/session")).body();
      assertUndecided(told, "session: it needs cookie:session");
      assertTrue(policy(told, "session").get("undecided").asBoolean());
      String given = ", \"attributes\": {\"cookie:session\": \"s1\"}";
      assertTrue(app.post(EXPLAIN, ask("/session", given)).body().get("allowed").asBoolean());
    }
  }

  @Test
  void aFailureOfTheApplicationsCodeIsReported() {
    Parts parts = new Parts();
    try (ControlApp app = app(parts)) {
      assertEquals(200, app.get("/odd", "ann/").status());
      parts.failing = true;
      assertUndecided(app.post(EXPLAIN, ask("/odd")).body(), "no session");
    }
  }

  @DeepOnly // it waits for the time-out
  @Test
  void codeOfTheApplicationThatHangsIsNotWaitedForForEver() {
    Parts parts = new Parts();
    try (ControlApp app = app(parts)) {
      assertEquals(200, app.get("/odd", "ann/").status());
      CountDownLatch latch = new CountDownLatch(1);
      parts.hanging = Optional.of(latch);
      assertUndecided(app.post(EXPLAIN, ask("/odd")).body(), "don't answer in time");
      latch.countDown();
    }
  }

  @Test
  void aPolicyThatOnlyOtherNodesHaveIsNotDecided() {
    try (ControlApp app =
        new ControlApp(Map.of(), (weir, rules) -> new GrizzlyTest().start(weir, rules))) {
      assertTrue(app.post(EXPLAIN, ask("/search")).body().get("allowed").asBoolean());
      app.rule("gold", "policy:search", 7);
      assertUndecided(app.post(EXPLAIN, ask("/search")).body(), "search: only other nodes have it");
    }
  }

  @Test
  void aPolicyThatLatelyRefusedThereOnAnotherNodeIsNotDecided() throws SQLException {
    try (ControlApp app =
        new ControlApp(Map.of(), (weir, rules) -> new GrizzlyTest().start(weir, rules))) {
      try (Connection connection = app.database.getConnection();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate(
            "INSERT INTO weir.rate_limit_violations (user_id, endpoint, timestamp, attempted_count,"
                + " policy) VALUES ('bob', '/search', TIMESTAMP WITH TIME ZONE '2026-01-01"
                + " 00:00:00+00', 1, 'search')");
      }
      assertUndecided(app.post(EXPLAIN, ask("/search")).body(), "search: only other nodes have it");
      assertTrue(app.post(EXPLAIN, ask("/other")).body().get("allowed").asBoolean());
      app.rule("*", "/search", 1);
      app.check(ask("/search"));
      JsonNode refused = app.post(EXPLAIN, ask("/search")).body();
      assertFalse(refused.get("allowed").asBoolean(), "this node refuses it, whatever others do");
    }
  }

  private static void assertUndecided(JsonNode told, String reason) {
    assertTrue(told.get("allowed").isNull(), told::toString);
    assertTrue(told.get("decision").isNull(), told::toString);
    assertTrue(told.get("undecided").toString().contains(reason), told::toString);
  }

  private static JsonNode policy(JsonNode told, String name) {
    for (JsonNode each : told.get("policies")) {
      if (each.get("name").asText().equals(name)) {
        return each;
      }
    }
    throw new AssertionError(name + " isn't in " + told);
  }
}
