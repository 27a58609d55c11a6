package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.Await;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import io.weir.rules.Rules;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import jakarta.servlet.ServletContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Runs docs/control.md on an application with rules in PostgreSQL, a switch and refused users. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ControlPageTest {
  private static final Map<String, Set<String>> ROLES =
      Map.of("root", Set.of("sre"), "help", Set.of("support"));
  private static final RuleWindow DAY = RuleWindow.ofSeconds(86_400);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final MarkdownPage page = MarkdownPage.read("control.md");

  private String database;
  private Weir weir;
  private Rules rules;
  private JavaSnippets snippets;
  private PageApplication application;
  private PageShell shell;

  /** An endpoint with an annotation of its own. */
  @Path("/search")
  public static final class Search {
    @GET
    @RateLimit(limit = 3, window = 3600, by = By.USER)
    public String search() {
      return "found";
    }
  }

  /** Endpoints that rules limit. */
  @Path("/orders")
  public static final class Orders {
    @GET
    public String orders() {
      return "none";
    }
  }

  @BeforeAll
  void start(@TempDir java.nio.file.Path folder) throws Exception {
    database = PostgresServer.shared().newDatabase();
    Map<String, String> settings = PageSettings.read(page.blocks("Who may", "properties").get(0));
    settings.put("weir.rules", database);
    settings.put("weir.rules.caller", "header:X-Api-Key");
    settings.put("weir.usage.interval", "100ms");
    settings.put("weir.rules.timeout", "10s"); // so that a slow machine knows alice as well
    settings.put("weir.store.timeout", "10s");
    settings.put("weir.node", "shop-1");
    weir = Weir.builder().settings(settings).build();
    rules = Rules.of(weir).orElseThrow();
    fill();
    snippets =
        new JavaSnippets(
            Files.createDirectory(folder.resolve("java")),
            List.of("io.weir", "io.weir.control", "io.weir.rules", "jakarta.servlet"));
    List<CodeBlock> mounts = page.blocks("Mount it", "java");
    ResourceConfig shop =
        (ResourceConfig) snippets.load(mounts.get(0)).getConstructor(Weir.class).newInstance(weir);
    shop.registerClasses(Search.class, Orders.class);
    application =
        new PageApplication(
            Files.createDirectory(folder.resolve("tomcat")),
            shop,
            context -> {
              var signIn = context.addFilter("sign-in", new SignInOfTests(ROLES));
              signIn.addMappingForUrlPatterns(null, false, "/*");
              signIn.setAsyncSupported(true);
              snippets.run(mounts.get(1), variables(context));
            });
    shell =
        new PageShell(Files.createDirectory(folder.resolve("shell")))
            .replace("http://127.0.0.1:8080", application.address())
            .replace("weir_…", SignInOfTests.token("root"));
    refuse();
  }

  private Map<String, Object> variables(ServletContext context) {
    Map<String, Object> variables = new LinkedHashMap<>();
    variables.put("ServletContext context", context);
    variables.put("Weir weir", weir);
    variables.put("Rules rules", rules);
    return variables;
  }

  private void fill() throws SQLException {
    rules
        .rules()
        .save(Rule.builder("free", "/orders").name("orders").limit(2).window(DAY).build(), "test");
    rules
        .rules()
        .save(
            Rule.builder("premium", "/orders").name("orders").limit(20).window(DAY).build(),
            "test");
    rules
        .users()
        .save(
            new UserTier("alice", "free", List.of(), UserState.ENFORCED, Optional.empty(), 0),
            "test");
    insertAnomaly();
    rules.refresh();
  }

  private void insertAnomaly() throws SQLException {
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO weir.anomalies (user_id, endpoint, score, action, since, until) VALUES ('bert',"
              + " '/orders', 5, 'THROTTLE', now(), now() + INTERVAL '1 hour')");
    }
  }

  /** Makes two limits refuse alice, and waits until it is recorded. */
  private void refuse() throws Exception {
    for (int i = 0; i < 4; i++) {
      get("/search", "Authorization", "Bearer weir_alice");
      get("/orders", "Authorization", "Bearer weir_alice");
      get("/orders", "X-Api-Key", "k-4711");
    }
    rules.upgrades().request("alice", "premium", "we grow");
    Await.until("it is recorded", () -> refusals() == 3);
  }

  /** Returns how often alice was refused; each write of usage may make rows of its own. */
  private long refusals() {
    Instant now = Instant.now();
    return rules
        .usage()
        .violationsOf("alice", now.minusSeconds(3600), now.plusSeconds(60), 9)
        .stream()
        .mapToLong(each -> each.count())
        .sum();
  }

  private int get(String path, String... fields) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(application.address() + path)).headers(fields).build();
    return CLIENT.send(request, BodyHandlers.ofString()).statusCode();
  }

  @AfterAll
  void stop() throws Exception {
    application.close();
    snippets.close();
    weir.close();
  }

  @TestFactory
  Stream<DynamicTest> everyBlock() {
    return PageRun.of(page)
        .with("sh", shell::run)
        .with("json", shell::hasPrintedJson)
        .with("", shell::hasPrintedText)
        .with("sql", this::sql)
        .with("java", block -> {}) // the application was started by them
        .with("properties", block -> {})
        .tests();
  }

  /** Runs the first block as the owner, the second and third as bob, who may not do the third. */
  private void sql(CodeBlock block) throws SQLException {
    String bob = database.replace("user=postgres", "user=bob");
    switch (page.blocks("By SQL", "sql").indexOf(block)) {
      case 0 -> PageSql.run(block, database);
      case 1 -> PageSql.run(block, bob);
      default -> PageSql.isRefused(block, bob);
    }
  }

  @Test
  void supportSeesAndTriesAndChangesNothing() throws Exception {
    String rule =
        "{\"tier\": \"free\", \"endpointPattern\": \"/a\", \"limitCount\": 1, \"windowSeconds\": 9}";
    String admin = "/v1/admin/ratelimit";
    assertEquals(200, send("help", "GET", admin + "/callers?userId=bert", ""));
    assertEquals(200, send("help", "POST", admin + "/callers", "{\"userId\": \"bert\"}"));
    assertEquals(200, send("help", "POST", admin + "/callers/account", "{\"userId\": \"bert\"}"));
    assertEquals(200, send("help", "POST", admin + "/rules?dryRun=true", rule));
    assertEquals(403, send("help", "POST", admin + "/rules", rule));
    assertEquals(403, send("help", "DELETE", admin + "/callers/buckets/orders?userId=bert", ""));
    assertEquals(403, send("help", "DELETE", admin + "/switches/orders", ""));
    assertEquals(403, send("bert", "GET", admin + "/callers?userId=bert", ""));
    assertEquals(200, send("bert", "GET", "/v1/dashboard/status", ""));
  }

  @Test
  void theServletAnswersBelowItsPath() throws Exception {
    assertEquals(200, send("root", "GET", "/weir/v1/admin/ratelimit/nodes", ""));
    assertEquals(200, send("root", "GET", "/weir/v1/openapi.json", ""));
  }

  @Test
  void aChangeWithoutABearerTokenNeedsTwoFieldsMore() throws Exception {
    HttpRequest.Builder change =
        HttpRequest.newBuilder(
                URI.create(application.address() + "/v1/admin/ratelimit/switches/orders"))
            .header("Authorization", "Basic cm9vdDpyb290")
            .DELETE();
    assertEquals(403, CLIENT.send(change.build(), BodyHandlers.ofString()).statusCode());
    change.header("X-Weir", "1").header("Origin", application.address());
    assertEquals(404, CLIENT.send(change.build(), BodyHandlers.ofString()).statusCode());
  }

  private int send(String who, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(application.address() + path))
            .header("Authorization", "Bearer " + SignInOfTests.token(who))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return CLIENT.send(request, BodyHandlers.ofString()).statusCode();
  }
}
