package io.weir.example.servlet;

import static io.restassured.RestAssured.get;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.seeds.RunOneIn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stops the example and starts it again with the same rules. */
@RunOneIn(value = 2, own = true)
class RestartTest {
  @TempDir private Path directory;
  private Example example;

  @BeforeEach
  void start() throws IOException {
    example = Example.start(0, ExampleTest.parts(directory));
  }

  @AfterEach
  void stop() {
    example.close();
  }

  private void restart() throws IOException {
    example.close();
    start();
  }

  private Rules rules() {
    return Rules.of(example.weir()).orElseThrow();
  }

  static List<Rule> freePlans(Rules rules) {
    return rules.rules().all().stream()
        .filter(each -> each.tier().equals("free") && each.name().equals("plan"))
        .toList();
  }

  private void assertFirst(String endpoint, String state) {
    get(example.uri().resolve("/api/" + endpoint))
        .then()
        .statusCode(200)
        .header("RateLimit", startsWith(state));
  }

  @Test
  void startsAgainOnceItHasStopped() throws IOException {
    assertFirst("hello", "\"hello\";r=9;t=");
    restart();
    assertFirst("hello", "\"hello\";r=9;t=");
  }

  @Test
  void theSecondStartLeavesTheRulesAsTheyAre() throws IOException {
    Rule plan = freePlans(rules()).get(0);
    rules().rules().save(plan.toBuilder().limit(3).build(), "an administrator");
    restart();
    assertFirst("plan", "\"plan\";r=2;t=");
  }

  @Test
  void whoDeletesThePlansDoesNotFindThemAgain() throws IOException {
    rules()
        .rules()
        .all()
        .forEach(each -> rules().rules().delete(each.id(), each.version(), "an administrator"));
    restart();
    assertEquals(List.of(), rules().rules().all());
  }
}
