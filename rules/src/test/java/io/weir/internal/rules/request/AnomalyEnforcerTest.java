package io.weir.internal.rules.request;

import static io.weir.internal.rules.request.RuleRequests.get;
import static io.weir.internal.rules.request.RuleRequests.keyed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Reason;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.internal.rules.database.Sha256Digest;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import io.weir.rules.SwitchState;
import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.anomaly.AnomalyAction;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.explanation.Explanation.Part;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.spi.CallerTier;
import io.weir.testkit.FakeRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that an anomaly affects the requests of its caller, and no others. */
class AnomalyEnforcerTest {
  private static final String POSTS = "/api/posts";

  private final RuleRequests app = new RuleRequests();

  static class Shop {
    @RateLimit(limit = 10, window = 60, name = "buy", by = By.USER)
    @RateLimit(limit = 30, window = 60, name = "address", by = By.IP)
    public void buy() {}
  }

  @AfterEach
  void close() {
    app.close();
  }

  private Instant now() {
    return Instant.EPOCH.plus(app.ticker.epochMicros(), ChronoUnit.MICROS);
  }

  private Anomaly anomaly(String user, String endpoint, AnomalyAction action) {
    return new Anomaly(
        user,
        endpoint,
        4.5,
        action != AnomalyAction.ALLOW,
        "260 requests in a minute, usually 10",
        action,
        now(),
        now().plus(Duration.ofMinutes(10)));
  }

  private void found(Anomaly... anomalies) {
    app.anomalies.replace(List.of(anomalies), AnomalyAction.BLOCK, now());
  }

  private void throttle(String user, String endpoint) {
    found(anomaly(user, endpoint, AnomalyAction.THROTTLE));
  }

  private void block(String user, String endpoint) {
    found(anomaly(user, endpoint, AnomalyAction.BLOCK));
  }

  private Map<String, Long> limits(FakeRequest request) {
    return app.send(request).limits();
  }

  @Test
  void throttledTheCallerHasHalfOfEachLimitThatCountsIt() {
    app.rule("free", POSTS, 11);
    app.rule(
        Rule.builder("free", POSTS)
            .name("hour")
            .window(RuleWindow.ofSeconds(3_600))
            .limit(100)
            .build());
    app.rule(Rule.builder("*", POSTS).name("ip").countBy(List.of("IP")).limit(600).build());
    app.rule(Rule.builder("*", POSTS).name("all").countBy(List.of("ENDPOINT")).limit(900).build());
    app.start();
    throttle("alice", POSTS);
    assertEquals(
        Map.of("api.posts-60s", 5L, "hour", 50L, "ip", 600L, "all", 900L),
        limits(get(POSTS, "alice")));
    assertEquals(11, limits(get(POSTS, "bob")).get("api.posts-60s"));
    assertEquals(11, limits(get(POSTS)).get("api.posts-60s"));
  }

  @Test
  void halfOfALimitIsAtLeastOne() {
    app.rule("free", POSTS, 1).start();
    throttle("alice", POSTS);
    assertEquals(Map.of("api.posts-60s", 1L), limits(get(POSTS, "alice")));
  }

  @Test
  void onlyAtThatEndpoint() {
    app.rule("free", "/api/*", 10).start();
    throttle("alice", POSTS);
    assertEquals(
        List.of(5L), limits(get(POSTS, "alice").mapping(POSTS)).values().stream().toList());
    assertEquals(
        List.of(10L),
        limits(get("/api/other", "alice").mapping("/api/other")).values().stream().toList());
  }

  @Test
  void withoutATemplateTheEndpointIsThePatternOfTheRule() {
    app.rule("free", "/api/*", 10).start();
    throttle("alice", "/api/*");
    assertEquals(List.of(5L), limits(get(POSTS, "alice")).values().stream().toList());
  }

  @Test
  void annotatedPoliciesAreHalvedWhateverGivesThemTheirLimit() {
    app.set("weir.policy.buy.limit", "40").start();
    throttle("alice", "policy:buy");
    assertEquals(
        Map.of("buy", 20L, "address", 30L), app.send(buyer("alice"), Shop.class, "buy").limits());
    assertEquals(40, app.send(buyer("bob"), Shop.class, "buy").limits().get("buy"));
    app.tier = CallerTier.ofLimit(70);
    assertEquals(35, app.send(buyer("alice"), Shop.class, "buy").limits().get("buy"));
    app.tier = CallerTier.none();
    app.rule(Rule.builder("free", "policy:buy").limit(24).build()).apply();
    assertEquals(12, app.send(buyer("alice"), Shop.class, "buy").limits().get("buy"));
  }

  private static FakeRequest buyer(String user) {
    return FakeRequest.from("192.0.2.1").user(user);
  }

  @Test
  void aKeyThatHasARowIsFoundByItsDigest() {
    app.callers = new CallerSettings("header:X-Api-Key", false, "free");
    app.rule("free", POSTS, 10).rule("gold", POSTS, 20);
    app.rule(
        Rule.builder("free", POSTS)
            .name("key")
            .countBy(List.of("header:X-Api-Key"))
            .limit(8)
            .build());
    app.user(Sha256Digest.of("secret"), "free").start();
    throttle(Sha256Digest.of("secret"), POSTS);
    assertEquals(Map.of("api.posts-60s", 5L, "key", 4L), limits(keyed(POSTS, "secret")));
    assertEquals(10, limits(keyed(POSTS, "other")).get("api.posts-60s"));
  }

  @Test
  void aUserIsNotTheKeyOfTheSameText() {
    app.callers = new CallerSettings("header:X-Api-Key", false, "free");
    app.rule("free", POSTS, 10).start();
    throttle("alice", POSTS);
    assertEquals(Map.of("api.posts-60s", 10L), limits(keyed(POSTS, "alice")));
  }

  @Test
  void aBlockedCallerIsRefusedUntilItEndsAndNothingIsCharged() {
    app.rule("free", POSTS, 10).start();
    block("alice", POSTS);
    RuleRequests.Outcome refused = app.send(get(POSTS, "alice"));
    assertFalse(refused.isAdmitted());
    assertEquals(429, refused.refusal().orElseThrow().status());
    assertEquals(Reason.ABNORMAL_USAGE, refused.decision().reason());
    assertEquals(Duration.ofMinutes(10), refused.decision().retryAfter());
    assertTrue(app.send(get(POSTS, "bob")).isAdmitted());
    app.ticker.advance(Duration.ofMinutes(10));
    RuleRequests.Outcome again = app.send(get(POSTS, "alice"));
    assertTrue(again.isAdmitted(), "it has ended, though no node has reported it");
    assertEquals(9, again.decision().remaining(), "and nothing was charged");
  }

  @Test
  void aBlockedCallerIsRefusedWhereOnlyAnAnnotationCountsIt() {
    app.start();
    block("alice", "policy:buy");
    assertFalse(app.send(buyer("alice"), Shop.class, "buy").isAdmitted());
    assertTrue(app.send(buyer("bob"), Shop.class, "buy").isAdmitted());
  }

  @Test
  void aUserUnderEvaluationIsNeverHalvedOrRefused() {
    app.rule("free", POSTS, 10);
    app.users.put(
        "alice",
        new UserTier("alice", "free", List.of(), UserState.EVALUATION, Optional.empty(), 1));
    app.start();
    block("alice", POSTS);
    assertTrue(app.send(get(POSTS, "alice")).isAdmitted());
    assertEquals(Map.of("api.posts-60s", 10L), limits(get(POSTS, "alice")));
  }

  @Test
  void whatIsSwitchedOffOrOnlyMeasuresRefusesNobody() {
    app.rule("free", POSTS, 10).start();
    block("alice", POSTS);
    for (SwitchState state : SwitchState.values()) {
      app.switches.clear();
      app.switches.add(
          new PolicySwitch("*", state, now().plus(Duration.ofHours(1)), "a test", "test"));
      app.apply();
      assertTrue(app.send(get(POSTS, "alice")).isAdmitted(), state.name());
      assertTrue(app.send(buyer("alice"), Shop.class, "buy").isAdmitted(), state.name());
    }
  }

  @Test
  void theStrongestOfSeveralHoldsAndWhatIsAllowedGoesBeforeAll() {
    app.rule("free", POSTS, 10).start();
    Anomaly throttled = anomaly("alice", POSTS, AnomalyAction.THROTTLE);
    Anomaly blocked = anomaly("alice", POSTS, AnomalyAction.BLOCK);
    found(throttled, blocked);
    assertFalse(app.send(get(POSTS, "alice")).isAdmitted());
    found(throttled, blocked, anomaly("alice", POSTS, AnomalyAction.ALLOW));
    assertEquals(Map.of("api.posts-60s", 10L), limits(get(POSTS, "alice")));
    found(throttled, blocked, anomaly("alice", "/api/other", AnomalyAction.ALLOW));
    assertFalse(app.send(get(POSTS, "alice")).isAdmitted());
  }

  @Test
  void nothingGoesFurtherThanTheSettingSays() {
    app.rule("free", POSTS, 10).start();
    Anomaly blocked = anomaly("alice", POSTS, AnomalyAction.BLOCK);
    app.anomalies.replace(List.of(blocked), AnomalyAction.THROTTLE, now());
    assertEquals(Map.of("api.posts-60s", 5L), limits(get(POSTS, "alice")));
    app.anomalies.replace(List.of(blocked), AnomalyAction.MONITOR, now());
    assertTrue(app.anomalies.isEmpty());
    assertEquals(Map.of("api.posts-60s", 10L), limits(get(POSTS, "alice")));
  }

  @Test
  void whatIsOnlyToldCostsRequestsNothing() {
    found(anomaly("alice", POSTS, AnomalyAction.MONITOR));
    assertTrue(app.anomalies.isEmpty());
  }

  @Test
  void explainTellsIt() {
    app.rule("free", POSTS, 10);
    app.rule(Rule.builder("*", POSTS).name("ip").countBy(List.of("IP")).limit(600).build()).start();
    throttle("alice", POSTS);
    Part half = part("alice", "api.posts-60s");
    assertEquals(5, half.limit());
    assertTrue(
        half.reason().contains("half of it until " + now().plus(Duration.ofMinutes(10))),
        half.reason());
    assertTrue(half.reason().endsWith("260 requests in a minute, usually 10"), half.reason());
    assertEquals(600, part("alice", "ip").limit());
    assertEquals(10, part("bob", "api.posts-60s").limit());
    block("alice", POSTS);
    assertTrue(part("alice", "ip").reason().contains("refuses until"));
  }

  private Part part(String user, String policy) {
    return app.source.explain(ExplainedRequest.of("GET", POSTS, user)).parts().stream()
        .filter(each -> each.policy().equals(policy))
        .findFirst()
        .orElseThrow();
  }
}
