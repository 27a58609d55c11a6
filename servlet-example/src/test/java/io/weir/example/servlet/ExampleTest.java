package io.weir.example.servlet;

import static io.restassured.RestAssured.get;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.seeds.RunOneIn;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example as its main method does, on a free port and with the machine's clock. */
@RunOneIn(value = 4, own = true)
class ExampleTest {
  /** The rules as the first start leaves them, which takes as long as all later starts. */
  @TempDir private static Path first;

  @TempDir private Path directory;
  private Example example;

  @BeforeAll
  static void startForTheFirstTime() throws IOException {
    Example.start(0, parts(first)).close();
  }

  @BeforeEach
  void start() throws IOException {
    try (Stream<Path> files = Files.list(first)) {
      for (Path each : files.toList()) {
        Files.copy(each, directory.resolve(each.getFileName()));
      }
    }
    example = Example.start(0, parts());
  }

  private WeirBuilder parts() {
    return parts(directory);
  }

  private static WeirBuilder parts(Path directory) {
    return Weir.builder()
        .settings(
            Map.of(
                "weir.rules", "jdbc:h2:file:" + directory.resolve("rules"),
                "weir.rules.timeout", "10s",
                "weir.store.timeout", "10s"));
  }

  @AfterEach
  void stop() {
    example.close();
  }

  private Response call(String endpoint) {
    return get(example.uri().resolve("/api/" + endpoint));
  }

  @Test
  void answersAndTellsOfTheLimit() {
    call("hello")
        .then()
        .statusCode(200)
        .header("RateLimit-Policy", "\"hello\";q=10;w=10")
        .header("RateLimit", startsWith("\"hello\";r=9;t="))
        .body("endpoint", equalTo("hello"));
  }

  /** A month admits four requests; ten in a row are too many even across the end of a month. */
  @Test
  void refusesWhatIsTooMuch() {
    Response refused =
        Stream.generate(() -> call("report"))
            .limit(10)
            .filter(response -> response.statusCode() != 200)
            .findFirst()
            .orElseThrow();
    refused.then().statusCode(429).contentType("application/problem+json");
    assertTrue(Integer.parseInt(refused.header("Retry-After")) > 0);
  }

  /** If it were bound to all addresses, it would answer on every loopback address. */
  @Test
  void listensOnOneAddressOfLoopbackOnly() throws IOException {
    assertEquals("127.0.0.1", example.uri().getHost());
    try (Socket elsewhere = new Socket()) {
      InetSocketAddress other = new InetSocketAddress("127.0.0.2", example.uri().getPort());
      assertThrows(IOException.class, () -> elsewhere.connect(other, 2_000));
    }
  }

  @Test
  void theTableNamesEachPolicy() {
    String names =
        "hello search items-key items-ip report buy stacked-minute stacked-hour exact hot ahead"
            + " bucket broken profile-user profile-ip feed login-user login-ip sms";
    Set<String> missing = new HashSet<>(List.of(names.split(" ")));
    missing.removeAll(List.of(example.weir().table().split("\\s+")));
    assertEquals(Set.of(), missing);
  }

  @Test
  void startsAgainOnceItHasStopped() throws IOException {
    example.close();
    example = Example.start(0, parts());
    call("hello").then().statusCode(200).header("RateLimit", startsWith("\"hello\";r=9;t="));
  }

  private Rules rules() {
    return Rules.of(example.weir()).orElseThrow();
  }

  private List<Rule> freePlans() {
    return rules().rules().all().stream()
        .filter(each -> each.tier().equals("free") && each.name().equals("plan"))
        .toList();
  }

  @Test
  void theFirstStartMakesThePlans() {
    assertEquals(10, freePlans().get(0).limit());
    call("plan").then().statusCode(200).header("RateLimit", startsWith("\"plan\";r=9;t="));
  }

  @Test
  void theSecondStartLeavesTheRulesAsTheyAre() throws IOException {
    rules().rules().save(freePlans().get(0).toBuilder().limit(3).build(), "an administrator");
    example.close();
    example = Example.start(0, parts());
    call("plan").then().statusCode(200).header("RateLimit", startsWith("\"plan\";r=2;t="));
  }

  @Test
  void whoDeletesThePlansDoesNotFindThemAgain() throws IOException {
    rules()
        .rules()
        .all()
        .forEach(each -> rules().rules().delete(each.id(), each.version(), "an administrator"));
    example.close();
    example = Example.start(0, parts());
    assertEquals(List.of(), rules().rules().all());
  }

  @Test
  void saysWhereItCountsWithoutThePassword() throws IOException {
    assertEquals("inprocess:", example.weir().store());
    Map<String, String> redis = Map.of("weir.store", "redis://user:p%40ss@127.0.0.1:1/2");
    try (Example other = Example.start(0, parts().settings(redis))) {
      assertEquals("redis://127.0.0.1:1/2", other.weir().store());
    }
  }
}
