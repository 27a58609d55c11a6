package io.weir.spring.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs what docs/spring.md shows. Its Java is code of this package, so that it compiles; its
 * settings start an application; its dependencies have the names and versions of this build.
 */
@ExtendWith(OutputCaptureExtension.class)
class SpringPageTest {
  private static final Path ROOT = Path.of("../../..");
  private static final Path SOURCES = Path.of("src/test/java/io/weir/spring/page");
  private static final String SHOP = "https://shop.example";
  private static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\n(.*?)^```$");

  /** Has the settings of the page for the control API; each test uses endpoints of its own. */
  private static ConfigurableApplicationContext shop;

  @TempDir private Path directory;

  @BeforeAll
  static void startShop() throws IOException {
    shop =
        start(
            blocks("properties").stream()
                .filter(each -> each.contains("weir.control.path"))
                .flatMap(String::lines)
                .toArray(String[]::new));
  }

  @AfterAll
  static void stopShop() {
    shop.close();
  }

  private static List<String> blocks(String language) throws IOException {
    return blocks(Files.readString(ROOT.resolve("docs/spring.md")), language);
  }

  private static List<String> blocks(String page, String language) {
    List<String> blocks =
        BLOCK
            .matcher(page)
            .results()
            .filter(each -> each.group(1).equals(language))
            .map(each -> each.group(2))
            .toList();
    assertTrue(!blocks.isEmpty(), "the page has no " + language);
    return blocks;
  }

  /** Leaves out comments and white space, which the formatter may lay otherwise. */
  private static String tight(String java) {
    return java.replaceAll("//.*|/\\*(?s:.*?)\\*/", "").replaceAll("\\s", "");
  }

  private static String sources() throws IOException {
    StringBuilder sources = new StringBuilder();
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path each : files.filter(file -> !file.endsWith("SpringPageTest.java")).toList()) {
        sources.append(tight(Files.readString(each))).append('\n');
      }
    }
    return sources.toString();
  }

  @Test
  void theJavaOfThePageIsCodeOfThisPackage() throws IOException {
    assertEquals(List.of(), unknown(blocks("java")));
  }

  /** The example of docs/callers.md, behind the sign-in of Spring Security. */
  @Test
  void theExampleOfTiersKnowsTheUser() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/callers.md"));
    String tiers = page.substring(page.indexOf("\n## Tiers"), page.indexOf("\n## Addresses"));
    assertEquals(List.of(), unknown(blocks(tiers, "java")));
    HttpResponse<String> orders = get(shop, "/orders");
    assertEquals(
        "\"OrdersController.orders\";q=1000;w=60",
        orders.headers().firstValue("RateLimit-Policy").orElse("none"));
  }

  private static List<String> unknown(List<String> blocks) throws IOException {
    String sources = sources();
    List<String> unknown = new ArrayList<>();
    for (String block : blocks) {
      for (String part : tight(block).split("…")) {
        String code = part.replaceFirst("}+$", ""); // more may follow in the source
        if (!sources.contains(code)) {
          unknown.add(code);
        }
      }
    }
    return unknown;
  }

  static ConfigurableApplicationContext start(String... settings) {
    return SpringApplication.run(
        PageApplication.class,
        Stream.concat(
                Stream.of("server.port=0", "weir.rules.timeout=10s", "weir.store.timeout=10s"),
                Arrays.stream(settings))
            .map(each -> "--" + each)
            .toArray(String[]::new));
  }

  private static HttpResponse<String> get(ConfigurableApplicationContext context, String path)
      throws Exception {
    String user = Base64.getEncoder().encodeToString("root:root".getBytes(StandardCharsets.UTF_8));
    return send(context, "GET", path, "Authorization", "Basic " + user);
  }

  private static HttpResponse<String> send(String method, String path, String... fields)
      throws Exception {
    return send(shop, method, path, fields);
  }

  private static HttpResponse<String> send(
      ConfigurableApplicationContext context, String method, String path, String... fields)
      throws Exception {
    String port = context.getEnvironment().getProperty("local.server.port");
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .headers(fields)
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aPageOfAnOriginOfThePageMayReadTheRefusalAndItsPreflightsAreFree() throws Exception {
    assertSharedWithTheShop(200);
    assertSharedWithTheShop(200);
    assertSharedWithTheShop(200);
    assertSharedWithTheShop(429);
    HttpResponse<String> stranger =
        send("GET", "/search?q=tea", "Origin", "https://elsewhere.example");
    assertEquals(429, stranger.statusCode());
    assertEquals("none", stranger.headers().firstValue(ALLOW_ORIGIN).orElse("none"));
  }

  /** Sends what a browser sends for a script of the shop: the preflight, and the request. */
  private static void assertSharedWithTheShop(int status) throws Exception {
    HttpResponse<String> preflight =
        send(
            "OPTIONS",
            "/search?q=tea",
            "Origin",
            SHOP,
            "Access-Control-Request-Method",
            "GET",
            "Access-Control-Request-Headers",
            "content-type");
    assertEquals(200, preflight.statusCode());
    HttpResponse<String> found =
        send("GET", "/search?q=tea", "Origin", SHOP, "Content-Type", "application/json");
    assertEquals(status, found.statusCode());
    assertEquals(SHOP, found.headers().firstValue(ALLOW_ORIGIN).orElse("none"));
    Set<String> exposed = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (String each : found.headers().allValues("Access-Control-Expose-Headers")) {
      exposed.addAll(List.of(each.split(", ")));
    }
    assertEquals(Set.of("RateLimit", "RateLimit-Policy", "Retry-After"), Set.copyOf(exposed));
    assertEquals(status == 429, found.headers().firstValue("Retry-After").isPresent());
  }

  @Test
  void theSettingsOfThePageAreInForceAndLogged(CapturedOutput output) throws Exception {
    Path yaml = directory.resolve("application.yaml");
    Files.writeString(yaml, String.join("\n---\n", blocks("yaml")));
    try (ConfigurableApplicationContext context =
        start("spring.config.location=file:" + yaml, "weir.rules=jdbc:h2:mem:of-the-page")) {
      String table = context.getBean(Weir.class).table();
      assertTrue(table.matches("(?s).* SearchController\\.search +50 per 10s.*"), table);
      assertTrue(table.matches("(?s).* SmsService\\.send +20 per 1h.*"), table);
      assertTrue(output.getOut().contains(table.strip()), output::getOut);
      HttpResponse<String> found = get(context, "/search?q=tea");
      assertEquals(200, found.statusCode());
      assertEquals(
          "\"SearchController.search\";q=50;w=10",
          found.headers().firstValue("RateLimit-Policy").orElse("none"));
      assertEquals("none", found.headers().firstValue("X-RateLimit-Limit").orElse("none"));
    }
  }

  /** Settings of Redis, of which the tests of the store try the values, have right names. */
  @Test
  void thePropertiesOfThePageExist() throws IOException {
    String known;
    try (var in =
        SpringPageTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      known = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    Set<String> unknown = new TreeSet<>();
    for (String block : blocks("properties")) {
      Properties properties = new Properties();
      properties.load(new StringReader(block));
      unknown.addAll(properties.stringPropertyNames());
    }
    assertTrue(unknown.contains("weir.store"), unknown::toString);
    unknown.removeIf(each -> known.contains("\"name\": \"" + each + "\""));
    assertEquals(Set.of("spring.data.redis.host"), unknown);
  }

  @Test
  void theControlApiIsWhereThePageSays() throws Exception {
    HttpResponse<String> answer = get(shop, "/weir/v1/admin/ratelimit/rules");
    assertEquals(200, answer.statusCode(), answer::body);
  }

  @Test
  void theDependenciesOfThePageHaveTheNamesAndVersionsOfThisBuild() throws IOException {
    String xml = String.join("\n", blocks("xml"));
    String bom = Files.readString(ROOT.resolve("release/bom/pom.xml"));
    String parent = Files.readString(ROOT.resolve("pom.xml"));
    Matcher weir = Pattern.compile("<artifactId>(weir-[^<]*)</artifactId>").matcher(xml);
    assertTrue(weir.find());
    do {
      assertTrue(bom.contains("<artifactId>" + weir.group(1) + "</artifactId>"), weir.group(1));
    } while (weir.find());
    assertEquals(versionOf("jedis", parent), versionOf("jedis", xml));
  }

  private static String versionOf(String library, String xml) {
    Matcher version = Pattern.compile("<" + library + "\\.version>([^<]*)</").matcher(xml);
    assertTrue(version.find(), library);
    return version.group(1);
  }
}
