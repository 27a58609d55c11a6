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
import io.weir.rules.Rules;
import io.weir.seeds.RunOneIn;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the example as its main method does, on a free port and with the machine's clock. Each test
 * calls endpoints of its own.
 */
@RunOneIn(value = 2, own = true)
class ExampleTest {
  private static Example example;

  @BeforeAll
  static void start(@TempDir Path first) throws IOException {
    example = Example.start(0, parts(first));
  }

  @AfterAll
  static void stop() {
    example.close();
  }

  /** Returns the parts of an example whose rules are in files of a directory. */
  static WeirBuilder parts(Path directory) {
    return Weir.builder()
        .settings(
            Map.of(
                "weir.rules", "jdbc:h2:file:" + directory.resolve("rules"),
                "weir.rules.timeout", "10s",
                "weir.store.timeout", "10s"));
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
  void theFirstStartMakesThePlans() {
    Rules rules = Rules.of(example.weir()).orElseThrow();
    assertEquals(10, RestartTest.freePlans(rules).get(0).limit());
    call("plan").then().statusCode(200).header("RateLimit", startsWith("\"plan\";r=9;t="));
  }

  @Test
  void saysWhereItCountsWithoutThePassword(@TempDir Path directory) throws IOException {
    assertEquals("inprocess:", example.weir().store());
    Map<String, String> redis = Map.of("weir.store", "redis://user:p%40ss@127.0.0.1:1/2");
    try (Example other = Example.start(0, parts(directory).settings(redis))) {
      assertEquals("redis://127.0.0.1:1/2", other.weir().store());
    }
  }
}
