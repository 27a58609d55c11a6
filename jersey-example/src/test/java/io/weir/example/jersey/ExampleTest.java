package io.weir.example.jersey;

import static io.restassured.RestAssured.get;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.weir.guard.Weir;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The example as its main starts it, on a free port and by the machine's own clock. */
class ExampleTest {
  private Example example;

  @BeforeEach
  void start() throws IOException {
    example = Example.start(0, Weir.builder());
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

  /** Four fit into a minute: however slow the machine is, ten in a row don't. */
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

  @Test
  void startsAgainOnceItHasStopped() throws IOException {
    example.close();
    example = Example.start(0, Weir.builder());
    call("hello").then().statusCode(200).header("RateLimit", startsWith("\"hello\";r=9;t="));
  }
}
