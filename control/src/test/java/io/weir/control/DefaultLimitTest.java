package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The default limit applies where no rule does. */
class DefaultLimitTest {
  @Test
  void theDefaultPolicyHoldsWhereNoRuleDoes() {
    Map<String, String> settings =
        Map.of(
            "weir.default.limit", "2",
            "weir.default.window", "1m",
            "weir.default.by", "user");
    try (ControlApp app =
        new ControlApp(settings, (weir, rules) -> new GrizzlyTest().start(weir, rules))) {
      app.rule("free", "/ruled", 9);
      assertEquals(1, app.check(DecideTests.ALICE).body().get("remaining").asLong());
      JsonNode explained = app.post("/v1/ratelimit/explain", DecideTests.ALICE).body();
      assertEquals(1, explained.at("/decision/remaining").asLong());
      assertTrue(app.check(DecideTests.ALICE).body().get("allowed").asBoolean());
      assertFalse(app.check(DecideTests.ALICE).body().get("allowed").asBoolean());
      String ruled = DecideTests.ALICE.replace("/api/posts", "/ruled");
      assertEquals(8, app.check(ruled).body().get("remaining").asLong());
      String bob = DecideTests.ALICE.replace("alice", "bob");
      assertEquals(1, app.check(bob).body().get("remaining").asLong());
    }
  }
}
