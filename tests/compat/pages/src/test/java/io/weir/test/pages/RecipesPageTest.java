package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.JWTProcessor;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.testkit.FakeTicker;
import jakarta.ws.rs.GET;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the recipes of docs/recipes.md that serve requests, in one application. Its settings make
 * some limits so low that a test can reach them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecipesPageTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final byte[] SECRET = new byte[32];
  private static final Map<String, String> LOW =
      Map.of(
          "weir.policy.orders-user.limit", "2",
          "weir.policy.tenant.limit", "3",
          "weir.policy.bytes.limit", "1000");

  private final MarkdownPage page = MarkdownPage.read("recipes.md");
  @TempDir private Path pods;
  private String database;
  private Weir weir;
  private JavaSnippets snippets;
  private PageApplication application;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    database = PostgresServer.shared().newDatabase();
    snippets = new JavaSnippets(Files.createDirectory(folder.resolve("java")));
    Map<String, String> settings = new HashMap<>(LOW);
    settings.put("weir.rules", database);
    settings.put("weir.rules.timeout", "10s");
    settings.put("weir.store.timeout", "10s");
    weir = limits().settings(settings).build();
    BiPredicate<String, String> passwords = (account, password) -> password.equals("right");
    ResourceConfig all =
        new ResourceConfig()
            .register(new RateLimitFeature(weir))
            .register(type("Login", 0).getConstructor(BiPredicate.class).newInstance(passwords))
            .register(type("Users of a JWT", 0))
            .register(
                type("Users of a JWT", 1).getConstructor(JWTProcessor.class).newInstance(tokens()))
            .register(type("A tenant and its users", 1))
            .register(type("Uploads", 0));
    application =
        new PageApplication(Files.createDirectory(folder.resolve("tomcat")), all, context -> {});
  }

  private WeirBuilder limits() throws Exception {
    Map<String, String> tenants = Map.of("tom", "acme", "tim", "acme", "tia", "other");
    return (WeirBuilder)
        type("A tenant and its users", 0).getMethod("of", Map.class).invoke(null, tenants);
  }

  private static JWTProcessor<SecurityContext> tokens() {
    DefaultJWTProcessor<SecurityContext> tokens = new DefaultJWTProcessor<>();
    tokens.setJWSKeySelector(
        new JWSVerificationKeySelector<>(JWSAlgorithm.HS256, new ImmutableSecret<>(SECRET)));
    return tokens;
  }

  /** Returns the class of a section's block. */
  private Class<?> type(String heading, int number) throws Exception {
    return snippets.load(page.blocks(heading, "java").get(number));
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
        .with("java", snippets::load)
        .with("sql", this::block)
        .with("properties", this::settings)
        .with("yaml", this::probes)
        .with("", block -> {}) // the user of the settings before
        .tests();
  }

  private static String as(String user) throws JOSEException {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader(JWSAlgorithm.HS256), new JWTClaimsSet.Builder().subject(user).build());
    token.sign(new MACSigner(SECRET));
    return "Bearer " + token.serialize();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(application.address() + path));
  }

  private static int status(HttpRequest.Builder request) throws Exception {
    return CLIENT.send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  private int get(String path, String authorization) throws Exception {
    return status(to(path).header("Authorization", authorization));
  }

  private int login(String account, String password) throws Exception {
    return status(
        to("/login")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("account=" + account + "&password=" + password)));
  }

  @Test
  void fiveFailedLoginsInARowLockTheAccountForThisAddress() throws Exception {
    for (int failures : new int[] {4, 5}) {
      assertEquals(200, login("alice", "right"));
      for (int i = 0; i < failures; i++) {
        assertEquals(401, login("alice", "wrong"));
      }
    }
    assertEquals(429, login("alice", "right"));
    assertEquals(429, login("ALICE", "right"));
    assertEquals(200, login("bob", "right"));
    assertEquals(401, login("", "wrong"));
    assertEquals(400, login("alice&account=bob", "right"));
  }

  @Test
  void aUserIsCountedAfterItsTokenAndAnInvalidTokenByAddress() throws Exception {
    assertEquals(200, get("/orders", as("ann")));
    assertEquals(200, get("/orders", as("ann")));
    assertEquals(429, get("/orders", as("ann")));
    assertEquals(200, get("/orders", as("abe")));
    long before = ofAddress();
    assertEquals(401, get("/orders", "Bearer of nothing"));
    assertEquals(before - 1, ofAddress());
  }

  /** Returns what the address has left at /orders. */
  private long ofAddress() {
    Policy policy =
        weir.policies().stream()
            .map(each -> each.policy())
            .filter(each -> each.name().equals("orders-address"))
            .findFirst()
            .orElseThrow();
    return weir.limiter().peek(policy, Key.address("127.0.0.1")).remaining();
  }

  @Test
  void usersOfATenantShareItsLimit() throws Exception {
    assertEquals(200, get("/projects", as("tom")));
    assertEquals(200, get("/projects", as("tom")));
    assertEquals(200, get("/projects", as("tim")));
    assertEquals(429, get("/projects", as("tim")));
    assertEquals(200, get("/projects", as("tia")));
  }

  @Test
  void anUploadCostsItsBytes() throws Exception {
    assertEquals(200, upload(BodyPublishers.ofByteArray(new byte[600])));
    assertEquals(429, upload(BodyPublishers.ofByteArray(new byte[600])));
    assertEquals(200, upload(BodyPublishers.ofByteArray(new byte[400])));
    assertEquals(429, upload(BodyPublishers.ofByteArray(new byte[1001])));
    assertEquals(400, upload(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(SECRET))));
  }

  private int upload(BodyPublisher file) throws Exception {
    return status(to("/files").header("Content-Type", "application/octet-stream").PUT(file));
  }

  /** Runs the rows of a blocked user, who is refused from its second request on. */
  private void block(CodeBlock block) throws Exception {
    assertEquals(200, get("/projects", as("mallory")));
    PageSql.run(block, database);
    Await.until("mallory is blocked", () -> isRefused("mallory"));
  }

  private boolean isRefused(String user) {
    try {
      return get("/projects", as(user)) == 429;
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  /** Returns what the page's redis-cli, over several lines and with quotes, would send. */
  private static String[] arguments(CodeBlock block) {
    String command = block.text().replace("\\\n", " ").replace("'", "").strip();
    assertTrue(command.startsWith("redis-cli "), command);
    return command.substring("redis-cli ".length()).split(" +");
  }

  private void settings(CodeBlock block) throws Exception {
    if (block.text().contains("weir.store=")) {
      redis(block);
    } else {
      assertTrue(block.text().contains("except="), block.place()); // tried by its probes
    }
  }

  /** Answers probes. */
  @jakarta.ws.rs.Path("healthz")
  public static class Probes {
    @GET
    @jakarta.ws.rs.Path("{part}")
    public String part() {
      return "ok";
    }
  }

  /** Answers requests that are limited. */
  @jakarta.ws.rs.Path("search")
  public static class Pages {
    @GET
    public String search() {
      return "found";
    }
  }

  /** Sends more requests than the limit of the page admits, as a kubelet sends them. */
  private void probes(CodeBlock block) throws Exception {
    CodeBlock limits = page.blocks("Probes", "properties").get(0);
    List<String> paths =
        Pattern.compile("path: (\\S+),")
            .matcher(block.text())
            .results()
            .map(found -> found.group(1))
            .toList();
    assertEquals(2, paths.size());
    Map<String, String> settings = PageSettings.read(limits);
    int limit = Integer.parseInt(settings.get("weir.application.limit"));
    try (Weir probed =
            Weir.builder().ticker(new FakeTicker()).onlyGivenSettings().settings(settings).build();
        PageApplication pod =
            new PageApplication(
                pods,
                new ResourceConfig(Probes.class, Pages.class)
                    .register(new RateLimitFeature(probed)),
                context -> {})) {
      for (int i = 0; i <= limit; i++) {
        URI probe = URI.create(pod.address() + paths.get(i % 2));
        HttpRequest request =
            HttpRequest.newBuilder(probe).header("User-Agent", "kube-probe/1.33").build();
        assertEquals(200, CLIENT.send(request, BodyHandlers.discarding()).statusCode());
      }
      URI other = URI.create(pod.address() + "/search");
      HttpRequest search = HttpRequest.newBuilder(other).build();
      for (int i = 0; i < limit; i++) {
        assertEquals(200, CLIENT.send(search, BodyHandlers.discarding()).statusCode());
      }
      assertEquals(429, CLIENT.send(search, BodyHandlers.discarding()).statusCode());
    }
  }

  /** Makes the user of the page on a real Redis, and counts there with its rights alone. */
  private void redis(CodeBlock block) throws Exception {
    CodeBlock user = page.blocks("Managed Redis", "").get(0);
    Map<String, String> settings = PageSettings.read(block);
    try (RedisServer redis = RedisServer.start()) {
      assertEquals("OK", redis.ask(arguments(user)));
      settings.compute(
          "weir.store",
          (name, here) ->
              here.replace("rediss:", "redis:")
                  .replace("redis.example.org:6380", "127.0.0.1:" + redis.port()));
      settings.put("weir.store.timeout", "10s");
      Policy policy = Policy.builder("tried").limit(1).window(Duration.ofHours(1)).build();
      try (Weir node = Weir.builder().onlyGivenSettings().settings(settings).build()) {
        Decision decision = node.limiter().tryAcquire(policy, Key.user("alice"));
        assertFalse(decision.degraded(), decision::describe);
        assertFalse(node.limiter().tryAcquire(policy, Key.user("alice")).admitted());
      }
      assertEquals("", redis.ask("ACL", "LOG").strip());
    }
  }
}
