package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.seeds.OneDayIn;
import io.weir.test.log.LogLines;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests what operators learn from metrics, from the log and from the list of nodes. */
@OneDayIn(2)
class OperatorSignalsTest {
  @Test
  void anUpgradeThatWaitsIsInTheMetricsAndInTheLogWithoutTheUser() {
    try (LogLines log = new LogLines();
        RunningServer server = new RunningServer(Map.of())) {
      Rules rules = server.service().rules();
      rules.rules().save(Rule.builder("premium", "/api/*").limit(5).build(), "test");
      Await.until("there is nothing to do", () -> metrics(server).contains(pending(0)));
      Await.until("this node tells people", rules::isOnDuty);

      String user =
          rules
              .tokens()
              .create("page", "user", Optional.of("alice"), Optional.empty(), "test")
              .secret();
      HttpResponse<String> asked =
          server.send(
              "POST",
              "/v1/dashboard/tier/upgrade",
              "{\"requestedTier\": \"premium\", \"reason\": \"we grow\"}",
              "Authorization",
              "Bearer " + user,
              "Content-Type",
              "application/json");
      String id = RunningServer.json(asked).path("id").asText();
      assertEquals("PENDING", RunningServer.json(asked).path("status").asText(), asked.body());

      Await.until("the metric tells it", () -> metrics(server).contains(pending(1)));
      String line = "an upgrade to tier premium waits for a decision: request " + id;
      Await.until("the log tells it", () -> !log.containing(line).isEmpty());
      rules.upgrades().decline(Long.parseLong(id), "no", "test");
      Await.until("it is decided", () -> metrics(server).contains(pending(0)));
      assertEquals(List.of(), log.containing("alice"));
    }
  }

  private static String pending(int count) {
    return "\nweir_upgrades_pending " + count + ".0\n";
  }

  private static String metrics(RunningServer server) {
    String token =
        server
            .service()
            .rules()
            .tokens()
            .create("metrics", "weir-metrics", Optional.empty(), Optional.empty(), "test")
            .secret();
    return server.get("/metrics", token).body();
  }

  @Test
  void theListOfNodesTellsThatTheStoreIsAway() {
    try (RedisServer redis = RedisServer.start();
        RunningServer server = new RunningServer(Map.of("weir.store", redis.url()))) {
      Rules rules = server.service().rules();
      rules.rules().save(Rule.builder("free", "/api/posts").limit(50).build(), "test");
      rules.refresh();
      awaitBreaker(server, "closed");
      redis.kill9();
      awaitBreaker(server, "open");
      redis.restart();
      awaitBreaker(server, "closed");
    }
  }

  /**
   * Sends requests until it is so, since a server without requests doesn't notice the state of the
   * store.
   */
  private static void awaitBreaker(RunningServer server, String expected) {
    Await.until(
        "the breaker is " + expected,
        () -> {
          assertEquals(200, server.check(server.admin()).statusCode());
          JsonNode nodes =
              RunningServer.json(server.get("/v1/admin/ratelimit/nodes", server.admin()));
          return nodes.size() == 1 && nodes.get(0).get("breaker").asText().equals(expected);
        });
  }
}
