package io.weir.internal.control.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Weir;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.decide.AccessReader;
import io.weir.internal.control.decide.RequestDecider;
import io.weir.internal.control.decide.RequestExplainer;
import io.weir.internal.control.decide.UserStatusReader;
import io.weir.internal.control.decide.request.KeyExpressions;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.JsonBody;
import io.weir.rules.Rules;
import io.weir.testkit.FakeTicker;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The status of a check. */
class DecisionResourceTest {
  private static final int OK = 200;
  private static final int REFUSED = 429;
  private static final String SHORT = "{\"userId\": \"ann\", \"endpoint\": \"/short\"}";
  private static final String LONG = "{\"userId\": \"ann\", \"endpoint\": \"/long\"}";

  private final FakeTicker ticker = new FakeTicker();
  private final Rules rules = rules();
  private final Weir weir =
      Weir.builder()
          .ticker(ticker)
          .settings(
              Map.of(
                  "weir.policy.short.algorithm", "fixed-window",
                  "weir.policy.short.url", "/short",
                  "weir.policy.short.limit", "2",
                  "weir.policy.short.window", "60s",
                  "weir.policy.short.by", "user",
                  "weir.policy.long.url", "/long",
                  "weir.policy.long.limit", "2",
                  "weir.policy.long.window", "300s",
                  "weir.policy.long.by", "user"))
          .build();
  private final DecisionResource resource = resource();

  private static Rules rules() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return Rules.builder(database).build();
  }

  private DecisionResource resource() {
    RequestDecider decider = new RequestDecider(weir.checker(), () -> KeyExpressions.NONE, ticker);
    return new DecisionResource(
        decider,
        new RequestExplainer(WeirRuntime.of(weir), decider, rules),
        new UserStatusReader(decider, AccessReader.of(WeirRuntime.of(weir)), rules, ticker));
  }

  @AfterEach
  void close() {
    weir.close();
    rules.close();
  }

  private Response check(String body, @Nullable String atomic, @Nullable String status) {
    return resource.check(new JsonBody(body.getBytes(StandardCharsets.UTF_8)), atomic, status);
  }

  private static void assertRefused(Response response, long seconds) {
    assertEquals(REFUSED, response.getStatus());
    assertEquals(seconds, response.getHeaders().getFirst("Retry-After"));
  }

  @Test
  void aListThatIsRefusedAsAWholeIsA429WithItsLongestWait() {
    assertEquals(OK, check("[" + SHORT + "," + LONG + "]", "true", "true").getStatus());
    String tooMany = "[" + String.join(",", SHORT, SHORT, LONG, LONG) + "]";
    assertRefused(check(tooMany, "true", "true"), 305); // and a sixtieth of the window
    Response quiet = check(tooMany, "true", null);
    assertEquals(OK, quiet.getStatus());
    assertNull(quiet.getHeaders().getFirst("Retry-After"));
    assertEquals(OK, check("[" + SHORT + "," + LONG + "]", "true", "true").getStatus());
  }

  @Test
  void aRefusedRequestIsA429IfTheClientWantsIt() {
    for (int i = 0; i < 2; i++) {
      assertEquals(OK, check(SHORT, null, "true").getStatus());
    }
    assertEquals(OK, check(SHORT, null, null).getStatus());
    assertRefused(check(SHORT, null, "true"), 60);
  }

  @Test
  void ofAListThatIsDecidedOneByOneThereIsNoStatus() {
    assertThrows(InvalidFieldException.class, () -> check("[" + SHORT + "]", null, "true"));
    assertEquals(
        OK, check("[" + String.join(",", SHORT, SHORT, SHORT) + "]", null, null).getStatus());
  }
}
