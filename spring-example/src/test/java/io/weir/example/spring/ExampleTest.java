package io.weir.example.spring;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.weir.Weir;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs the example as its main method does, on a free port and with the machine's clock. */
class ExampleTest {
  /** Of the tests that change no rules; each calls endpoints of its own. */
  private static ConfigurableApplicationContext shared;

  private ConfigurableApplicationContext example = shared;

  @BeforeAll
  static void startForTheFirstTime(@TempDir Path directory) {
    shared = start(directory);
  }

  @AfterAll
  static void stop() {
    shared.close();
  }

  private static ConfigurableApplicationContext start(Path directory) {
    return SpringApplication.run(
        SpringExample.class,
        "--server.port=0",
        "--weir.rules=jdbc:h2:file:" + directory.resolve("rules"),
        "--weir.rules.timeout=10s",
        "--weir.store.timeout=10s");
  }

  private URI uri() {
    String port = example.getEnvironment().getProperty("local.server.port");
    return URI.create("http://127.0.0.1:" + port + "/");
  }

  private Weir weir() {
    return example.getBean(Weir.class);
  }

  /** Changes the rules of an application of its own, and looks at those of its second start. */
  private void afterARestart(Path directory, Runnable change, Runnable look) {
    try {
      example = start(directory);
      change.run();
      example.close();
      example = start(directory);
      look.run();
    } finally {
      example.close();
    }
  }

  private Response call(String endpoint) {
    return get(uri().resolve("/api/" + endpoint));
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

  private int sms(String query) {
    return given().post(uri().resolve("/api/sms?" + query)).statusCode();
  }

  @Test
  void aRepeatedNumberIsNoOtherNumber() {
    assertEquals(200, sms("phone=%2B1999"));
    assertEquals(400, sms("phone=%2B1999&phone=%2B1999"));
    assertEquals(400, sms("phone=%2B1&phone=%2B1999"));
  }

  /** If it were bound to all addresses, it would answer on every loopback address. */
  @Test
  void listensOnOneAddressOfLoopbackOnly() throws IOException {
    try (Socket elsewhere = new Socket()) {
      InetSocketAddress other = new InetSocketAddress("127.0.0.2", uri().getPort());
      assertThrows(IOException.class, () -> elsewhere.connect(other, 2_000));
    }
  }

  @Test
  void theTableNamesEachPolicy() {
    String names =
        "hello search items-key items-ip report buy stacked-minute stacked-hour exact hot ahead"
            + " bucket broken profile-user profile-ip feed login-user login-ip sms";
    Set<String> missing = new HashSet<>(List.of(names.split(" ")));
    missing.removeAll(List.of(weir().table().split("\\s+")));
    assertEquals(Set.of(), missing);
  }

  private Rules rules() {
    return Rules.of(weir()).orElseThrow();
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
  void theSecondStartLeavesTheRulesAsTheyAre(@TempDir Path directory) {
    afterARestart(
        directory,
        () ->
            rules()
                .rules()
                .save(freePlans().get(0).toBuilder().limit(3).build(), "an administrator"),
        () ->
            call("plan").then().statusCode(200).header("RateLimit", startsWith("\"plan\";r=2;t=")));
  }

  @Test
  void whoDeletesThePlansDoesNotFindThemAgain(@TempDir Path directory) {
    afterARestart(
        directory,
        () -> rules().rules().all().forEach(this::delete),
        () -> assertEquals(List.of(), rules().rules().all()));
  }

  private void delete(Rule rule) {
    rules().rules().delete(rule.id(), rule.version(), "an administrator");
  }
}
