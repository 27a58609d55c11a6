package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedRequest;
import io.weir.spi.DecisionPhase;
import io.weir.testkit.FakeRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that has nothing but the module and a setting. */
class SwitchedOnTest {
  private static final long MAX_MILLIS = 120_000;

  @TempDir private Path directory;

  static class Shop {
    @RateLimit(limit = 5, window = 60, by = By.USER, name = "search")
    public void search() {}
  }

  @Test
  void aSettingAloneSwitchesRulesOnAndSqlChangesThemWhileItRuns() throws Exception {
    String url = "jdbc:h2:file:" + directory.resolve("rules");
    try (Weir weir = Weir.builder().settings(Map.of("weir.rules", url)).build()) {
      WeirRuntime runtime = WeirRuntime.of(weir);
      assertEquals(5, admitted(runtime, "ann", 7));
      String password = Files.readString(directory.resolve("rules.password"));
      try (Connection sql =
              DriverManager.getConnection(url + ";AUTO_SERVER=TRUE", "weir", password);
          Statement statement = sql.createStatement()) {
        statement.execute(
            "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds)"
                + " VALUES ('free', 'policy:search', 2, 60)");
        until(weir, "bob", admitted -> admitted == 2);
        statement.execute("INSERT INTO weir.user_tiers (user_id, tier) VALUES ('eve', 'premium')");
        statement.execute(
            "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds)"
                + " VALUES ('premium', 'policy:search', 6, 60)");
        assertEquals(6, admittedInAll(runtime, "eve", 6)); // what she had before counts
        statement.execute("UPDATE weir.rate_limit_rules SET limit_count = 3 WHERE tier = 'free'");
        until(weir, "dan", admitted -> admitted == 3);
      }
      assertFalse(Files.exists(directory.resolve("rules.trace.db")), "H2 traces into a file");
    }
  }

  /** Until a limit is seen that callers of that name, new each time, have. */
  private static void until(Weir weir, String name, IntPredicate expected) throws Exception {
    int admitted = -1;
    for (long waited = 0; !expected.test(admitted); waited += 100) {
      assertTrue(waited < MAX_MILLIS, name + " is still admitted " + admitted + " times");
      TimeUnit.MILLISECONDS.sleep(100);
      admitted = admitted(WeirRuntime.of(weir), name + waited, 7);
    }
  }

  private static int admittedInAll(WeirRuntime weir, String user, int expected) throws Exception {
    int all = 0;
    for (long waited = 0; all < expected && waited < MAX_MILLIS; waited += 100) {
      all += admitted(weir, user, 7);
      TimeUnit.MILLISECONDS.sleep(100);
    }
    return all + admitted(weir, user, 7);
  }

  private static int admitted(WeirRuntime weir, String user, int requests) throws Exception {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      GuardedRequest request =
          weir.endpoint(Shop.class, Shop.class.getMethod("search"), EndpointType.SERVLET)
              .enter(FakeRequest.from("192.0.2.1").user(user).endpoint("/search"));
      boolean passes =
          request.decide(DecisionPhase.BEFORE_AUTHENTICATION).isEmpty()
              && request.decide(DecisionPhase.AFTER_AUTHENTICATION).isEmpty();
      admitted += passes ? 1 : 0;
    }
    return admitted;
  }
}
