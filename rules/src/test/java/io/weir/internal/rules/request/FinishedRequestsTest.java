package io.weir.internal.rules.request;

import static io.weir.internal.rules.request.RuleRequests.get;
import static io.weir.internal.rules.request.RuleRequests.keyed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.callers.CallerId;
import io.weir.internal.rules.usage.FinishedRequest;
import io.weir.rules.Rule;
import io.weir.testkit.FakeRequest;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the reports of finished requests to usage. */
class FinishedRequestsTest {
  private static final String DIGEST = CallerId.key("abc").rowKey();

  private final RuleRequests app = new RuleRequests();

  @AfterEach
  void close() {
    app.close();
  }

  private FinishedRequest send(FakeRequest request) {
    int before = app.finished.size();
    RuleRequests.Outcome outcome = app.send(request);
    outcome.request().completed(200);
    long until = System.nanoTime() + 120_000_000_000L;
    while (app.finished.size() == before && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertEquals(before + 1, app.finished.size(), "reported once");
    return app.finished.get(before);
  }

  @Test
  void aPrincipalIsKnownWithoutARow() {
    app.rule("free", "/api/*", 10).start();
    FinishedRequest told = send(get("/api/posts", "alice"));
    assertEquals("alice", told.userId());
    assertTrue(told.decision().admitted());
  }

  @Test
  void aKeyIsKnownByTheDigestOfItsRowAndOnlyIfItHasOne() {
    app.callers = new CallerSettings("header:X-Api-Key", false, "free");
    app.rule(Rule.builder("*", "/api/*").limit(10).countBy(List.of("IP")).build());
    app.user(DIGEST, "premium").start();
    assertEquals(DIGEST, send(keyed("/api/posts", "abc")).userId());
    assertEquals("*", send(keyed("/api/posts", "def")).userId());
    assertEquals("*", send(keyed("/api/posts", DIGEST)).userId());
  }

  @Test
  void whoIsCalledLikeTheOthersIsAmongThem() {
    app.rule("free", "/api/*", 10).start();
    for (String name : List.of("*", "ip:192.0.2.1", DIGEST, "a\0b", "\ud800")) {
      assertEquals("*", send(get("/api/posts", name)).userId(), name);
    }
  }

  @Test
  void whereKeysAreLookedUpAsTheyAreAPrincipalIsNobodysKey() {
    app.callers = new CallerSettings("header:X-Api-Key", true, "free");
    app.rule("free", "/api/*", 10).user("abc", "free").start();
    assertEquals("*", send(get("/api/posts", "abc")).userId());
    assertEquals("abc", send(keyed("/api/posts", "abc")).userId());
  }

  @Test
  void aRefusedCallerThatIsNotKnownIsToldByTheAddressItCountsBy() {
    app.rule("free", "/api/*", 1).start();
    assertEquals("", send(get("/api/posts")).address(), "admitted");
    assertEquals("192.0.2.1", send(get("/api/posts")).address());
    app.send(FakeRequest.from("2001:db8:0:1:2:3:4:5").endpoint("/api/posts"));
    assertEquals(
        "2001:db8:0:1::/64",
        send(FakeRequest.from("2001:db8:0:1:2:3:4:6").endpoint("/api/posts")).address());
    app.send(get("/api/posts", "alice"));
    assertEquals("", send(get("/api/posts", "alice")).address(), "known");
  }

  @Test
  void theEndpointIsTheMappingElseTheMostSpecificPatternAndNeverAPath() {
    app.rule("free", "/api/*", 1_000).rule("free", "/api/posts/{id}", 1_000).start();
    assertEquals("/api/posts/{}", send(get("/api/posts/17", "alice")).endpoint());
    assertEquals("/api/*", send(get("/api/search/17", "alice")).endpoint());
    assertEquals("/v1/*", send(get("/api/posts/17", "alice").mapping("/v1/*")).endpoint());
  }

  @Test
  void manyInventedKeysAndPathsAreOneUserAtOneEndpoint() {
    app.callers = new CallerSettings("header:X-Api-Key", false, "free");
    app.rule("free", "/api/*", 1_000_000).start();
    for (int i = 0; i < 5_000; i++) {
      app.send(keyed("/api/path" + i, "key" + i)).request().completed(200);
    }
    Set<String> told =
        app.finished.stream()
            .map(each -> each.userId() + " " + each.endpoint())
            .collect(Collectors.toSet());
    assertEquals(Set.of("* /api/*"), told);
  }
}
