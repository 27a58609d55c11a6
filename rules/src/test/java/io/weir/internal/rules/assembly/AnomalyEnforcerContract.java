package io.weir.internal.rules.assembly;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.rules.Rule;
import io.weir.rules.anomaly.AnomalyAction;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.testkit.FakeRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * From requests to the table, and from the table to requests, on two nodes with all their parts.
 */
abstract class AnomalyEnforcerContract {
  private static final String POSTS = "/api/posts";

  private final List<AutoCloseable> open = new ArrayList<>();
  private DataSource database;
  private Node first;
  private Node second;

  /** An empty database of its own. */
  abstract DataSource fresh();

  private record Node(DefaultRules rules, WeirRuntime application) {
    /** A request, and the limit that it had; 0: no rule held yet; −1: refused. */
    long request(String user) {
      FakeRequest request = FakeRequest.from("192.0.2.1").endpoint(POSTS).user(user);
      GuardedRequest guarded = application.withoutClass().enter(request);
      boolean isRefused =
          guarded.decide(BEFORE_AUTHENTICATION).isPresent()
              || guarded.decide(AFTER_AUTHENTICATION).isPresent();
      guarded.completed(isRefused ? 429 : 200);
      return isRefused ? -1 : guarded.isDecided() ? guarded.decision().limit() : 0;
    }
  }

  @BeforeEach
  void start() {
    database = fresh();
    first = node();
    second = node();
    first.rules.rules().save(Rule.builder("free", "/api/*").limit(1_000).build(), "test");
    awaitBoth("alice", 1_000);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private Node node() {
    RulesOptions parts =
        new RulesOptions(
            CallerSettings::of,
            Duration.ofSeconds(5),
            100,
            Optional.empty(),
            true,
            Duration.ofMillis(200),
            UsageOptions.USUAL,
            AnomalyAction.BLOCK);
    DefaultRules rules =
        DefaultRules.open(() -> DatabaseOpener.open(database, true), () -> {}, parts);
    Weir weir =
        Weir.builder()
            .settings(Map.of("weir.store.timeout", "10s"))
            .policySource(rules.policySource())
            .build();
    open.add(weir);
    open.add(rules);
    return new Node(rules, WeirRuntime.of(weir));
  }

  private void awaitBoth(String user, long limit) {
    for (Node node : List.of(first, second)) {
      RulesContract.await(user + " has " + limit, () -> node.request(user) == limit);
    }
  }

  private void sql(String statement) {
    TestSql.run(database, statement);
  }

  private void found(AnomalyAction action) {
    sql(
        "INSERT INTO weir.anomalies (user_id, endpoint, score, action, reason, since, until) VALUES"
            + " ('alice', '/api/*', 3.5, '"
            + action
            + "', 'far too many', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP + INTERVAL '10' MINUTE)");
  }

  @Test
  void whatIsFoundHoldsOnEveryNodeUntilItsRowIsDeleted() {
    found(AnomalyAction.THROTTLE);
    awaitBoth("alice", 500);
    assertEquals(1_000, first.request("bob"));
    found(AnomalyAction.BLOCK);
    awaitBoth("alice", -1);
    sql("DELETE FROM weir.anomalies");
    awaitBoth("alice", 1_000);
  }

  @Test
  void itIsExplainedAndAPersonEndsItOnEveryNode() {
    found(AnomalyAction.THROTTLE);
    awaitBoth("alice", 500);
    assertTrue(
        second.rules.explain(ExplainedRequest.of("GET", POSTS, "alice")).parts().stream()
            .anyMatch(part -> part.holds() && part.limit() == 500));
    assertEquals("alice", second.rules.anomalies().current().get(0).userId());
    assertTrue(second.rules.anomalies().end("alice", "/api/*", "bob"));
    awaitBoth("alice", 1_000);
  }

  @Test
  void requestsOfAllNodesAreCountedByMinuteUnderTheNameThatIsActedUpon() {
    long before = counted();
    first.request("alice");
    second.request("alice");
    first.rules.usageRecorder().flush(Duration.ofSeconds(20));
    second.rules.usageRecorder().flush(Duration.ofSeconds(20));
    assertTrue(counted() >= before + 2);
  }

  private long counted() {
    return TestSql.number(
        database,
        "SELECT COALESCE(SUM(requests), 0) FROM weir.usage_minutes"
            + " WHERE user_id = 'alice' AND endpoint = '/api/*'");
  }
}
