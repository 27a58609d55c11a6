package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.RateLimitExceededException;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Policies that hold only for some requests. */
class RequestConditionTest {
  private static final List<String> WORDS = List.of("casino", "lottery");

  private final FakeTicker ticker = new FakeTicker();
  private final AtomicInteger asked = new AtomicInteger();
  private WeirRuntime weir = with(RequestConditionTest::isRisky);

  static class Mail {
    @RateLimit(limit = 1, window = 60, when = "risky", name = "risky")
    public void send() {}

    @RateLimit(limit = 1, window = 60, when = "risky", by = By.USER, name = "risky-user")
    @RateLimit(limit = 2, window = 60, when = "risky", name = "risky-ip")
    @RateLimit(limit = 50, window = 60, name = "all")
    public void post() {}

    public void free() {}

    public void other() {}

    @RateLimit(limit = 1, window = 60, when = "risky", name = "called")
    public void call() {}
  }

  private static boolean isRisky(RequestInfo request) {
    String text = request.query("text").orElse("");
    return WORDS.stream().anyMatch(text::contains);
  }

  private WeirRuntime with(RequestCondition risky) {
    return new DefaultWeirBuilder()
        .ticker(ticker)
        .requestCondition(
            "risky",
            request -> {
              asked.incrementAndGet();
              return risky.test(request);
            })
        .build();
  }

  /** Makes a Weir whose condition says that it needs no user. */
  private WeirRuntime withoutUser(RequestCondition risky) {
    weir.close();
    weir =
        new DefaultWeirBuilder()
            .ticker(ticker)
            .requestCondition(
                "risky",
                new RequestCondition() {
                  @Override
                  public boolean test(RequestInfo request) {
                    asked.incrementAndGet();
                    return risky.test(request);
                  }

                  @Override
                  public boolean needsUser() {
                    return false;
                  }
                })
            .build();
    return weir;
  }

  @AfterEach
  void close() {
    weir.close();
  }

  private GuardedEndpoint guard(String method) {
    return weir.endpoint(Mail.class, method(method), EndpointType.SERVLET);
  }

  private static Method method(String name) {
    try {
      return Mail.class.getMethod(name);
    } catch (NoSuchMethodException mistake) {
      throw new AssertionError(mistake);
    }
  }

  private static FakeRequest text(String text) {
    return FakeRequest.from("192.0.2.1").user("alice").query("text", text);
  }

  private GuardedRequest enter(String method, String text) {
    return guard(method).enter(text(text));
  }

  @Test
  void isDecidedAfterTheSignInWhateverItCountsBy() {
    assertFalse(guard("send").decides(BEFORE_AUTHENTICATION));
    assertTrue(guard("send").decides(AFTER_AUTHENTICATION));
    assertTrue(guard("post").decides(BEFORE_AUTHENTICATION));
  }

  @Test
  void whereItDoesntHoldItIsAsIfItWerentThere() {
    for (int i = 0; i < 5; i++) {
      GuardedRequest harmless = enter("send", "hello");
      assertEquals(Optional.empty(), harmless.decide(AFTER_AUTHENTICATION));
      assertFalse(harmless.isDecided());
      assertEquals(List.of(), harmless.headers());
      harmless.completed(200);
    }
    assertEquals(Optional.empty(), enter("send", "casino").decide(AFTER_AUTHENTICATION));
    assertEquals(429, enter("send", "lottery").decide(AFTER_AUTHENTICATION).orElseThrow().status());
    assertEquals(Optional.empty(), enter("send", "hello").decide(AFTER_AUTHENTICATION));
  }

  @Test
  void isAskedOnceForARequestInAllPhasesAndAtAllEndpoints() throws Exception {
    GuardedRequest request = enter("post", "casino");
    request.decide(BEFORE_AUTHENTICATION);
    assertEquals(0, asked.get());
    request.decide(AFTER_AUTHENTICATION);
    request.moveTo(guard("send"), text("hello"));
    request.decideAsync(AFTER_AUTHENTICATION, Runnable::run).toCompletableFuture().get();
    assertEquals(1, asked.get());
    assertEquals(
        List.of("all", "risky-user", "risky-ip", "risky"),
        request.decision().parts().stream().map(each -> each.policy().name()).toList());
    GuardedRequest other = enter("post", "hello");
    for (DecisionPhase phase : DecisionPhase.values()) {
      other.decide(phase);
    }
    assertEquals("all", other.decision().policy().name());
    assertEquals(2, asked.get());
  }

  @Test
  void oneThatThrowsHoldsAndIsToldOnce() {
    for (Throwable trouble :
        List.of(new IllegalStateException("on purpose"), new NoClassDefFoundError("on purpose"))) {
      weir.close();
      weir =
          with(
              request -> {
                throw RequestConditionTest.<RuntimeException>sneaky(trouble);
              });
      try (LogLines log = new LogLines()) {
        assertEquals(Optional.empty(), enter("send", "hello").decide(AFTER_AUTHENTICATION));
        assertTrue(enter("send", "hello").decide(AFTER_AUTHENTICATION).isPresent());
        assertEquals(1, log.containing("the request condition risky failed").size());
      }
    }
  }

  @Test
  void oneThatNeedsNoUserIsAskedOnceBeforeTheSignIn() {
    weir = withoutUser(RequestConditionTest::isRisky);
    assertTrue(guard("send").decides(BEFORE_AUTHENTICATION));
    assertEquals(Optional.empty(), enter("send", "casino").decide(BEFORE_AUTHENTICATION));
    GuardedRequest refused = enter("send", "casino");
    assertEquals(429, refused.decide(BEFORE_AUTHENTICATION).orElseThrow().status());
    assertEquals(2, asked.get());
    for (String text : List.of("hello", "casino")) {
      GuardedRequest request = enter("post", text);
      for (DecisionPhase phase : DecisionPhase.values()) {
        assertEquals(Optional.empty(), request.decide(phase));
      }
      assertEquals(text.equals("hello") ? 1 : 3, request.decision().parts().size());
    }
    assertEquals(4, asked.get());
  }

  @Test
  void oneThatReadsTheUserAllTheSameIsAskedAgainAfterTheSignInAndReported() throws Exception {
    weir = withoutUser(request -> request.user().orElse("").equals("alice"));
    try (LogLines log = new LogLines()) {
      assertTrue(guard("send").decides(AFTER_AUTHENTICATION));
      assertTrue(guard("send").isBound(AFTER_AUTHENTICATION));
      for (int i = 0; i < 5; i++) {
        FakeRequest unknown = FakeRequest.from("192.0.2.1");
        GuardedRequest request = guard("send").enter(unknown);
        assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
        unknown.user("bob");
        assertEquals(Optional.empty(), request.decide(AFTER_AUTHENTICATION));
        assertFalse(request.isDecided());
      }
      assertEquals(10, asked.get());
      for (int status : new int[] {200, 429}) {
        GuardedRequest alice = enter("send", "any");
        assertEquals(Optional.empty(), alice.decide(BEFORE_AUTHENTICATION));
        Optional<Integer> refusal = alice.decide(AFTER_AUTHENTICATION).map(each -> each.status());
        assertEquals(status == 200 ? Optional.empty() : Optional.of(429), refusal);
      }
      GuardedRequest async = enter("send", "any");
      assertEquals(
          Optional.empty(),
          async.decideAsync(BEFORE_AUTHENTICATION, Runnable::run).toCompletableFuture().get());
      assertEquals(
          429,
          async
              .decideAsync(AFTER_AUTHENTICATION, Runnable::run)
              .toCompletableFuture()
              .get()
              .orElseThrow()
              .status());
      assertEquals(
          1, log.containing("condition risky reads the user, but its needsUser() is false").size());
    }
  }

  @Test
  void oneThatFailsForWantOfTheUserIsAskedAgainAfterTheSignIn() {
    weir = withoutUser(request -> request.user().orElseThrow().equals("eve"));
    try (LogLines log = new LogLines()) {
      FakeRequest unknown = FakeRequest.from("192.0.2.1");
      GuardedRequest request = guard("send").enter(unknown);
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
      unknown.user("bob");
      assertEquals(Optional.empty(), request.decide(AFTER_AUTHENTICATION));
      assertFalse(request.isDecided());
      assertEquals(List.of(), log.containing("failed"));
    }
  }

  @Test
  void waitsForTheUserAtItsOwnEndpointOnly() {
    weir = withoutUser(request -> request.issuer().isEmpty());
    GuardedRequest request = enter("send", "any");
    request.decide(BEFORE_AUTHENTICATION);
    request.moveTo(guard("free"), text("any"));
    request.decide(AFTER_AUTHENTICATION);
    assertFalse(request.isDecided());
    request.moveTo(guard("send"), text("any"));
    request.decide(AFTER_AUTHENTICATION);
    assertEquals("risky", request.decision().policy().name());
    request.decide(AFTER_AUTHENTICATION);
    assertEquals(1, request.decision().parts().size());
  }

  @Test
  void oneThatIsAskedAtOnceMayReadTheUser() {
    weir = withoutUser(request -> request.user().isPresent());
    try (LogLines log = new LogLines()) {
      enter("send", "any").admit();
      assertThrows(RateLimitExceededException.class, enter("send", "any")::admit);
      assertEquals(List.of(), log.containing("needsUser"));
    }
  }

  @Test
  void thePoliciesByAddressThatItKeepsFromFailedSignInsAreWarnedOf() {
    try (LogLines log = new LogLines()) {
      guard("send");
      guard("post");
      guard("post");
      assertEquals(1, log.containing("risky (").size());
      assertEquals(1, log.containing("risky-ip (").size());
      assertEquals(2, log.containing("counts by IP, but misses failed sign-ins").size());
      weir.endpoint(Mail.class, method("call"), EndpointType.METHOD);
      assertEquals(2, log.containing("counts by IP, but misses failed sign-ins").size());
    }
    weir = withoutUser(RequestConditionTest::isRisky);
    try (LogLines log = new LogLines()) {
      guard("send");
      assertEquals(List.of(), log.containing("misses failed sign-ins"));
    }
  }

  @Test
  void urlPoliciesAndThatOfTheApplicationAreWarnedOfToo() {
    weir.close();
    Map<String, String> settings = new HashMap<>();
    for (String prefix : List.of("weir.application.", "weir.policy.login.")) {
      settings.put(prefix + "limit", "3");
      settings.put(prefix + "window", "60s");
      settings.put(prefix + "when", "risky");
    }
    settings.put("weir.policy.login.url", "/login");
    try (LogLines log = new LogLines()) {
      weir =
          new DefaultWeirBuilder()
              .ticker(ticker)
              .settings(settings)
              .requestCondition("risky", RequestConditionTest::isRisky)
              .build();
      guard("free");
      guard("other");
      List<String> found = log.containing("counts by IP, but misses failed sign-ins");
      assertEquals(2, found.size(), found::toString);
      assertEquals(1, log.containing("login (/login) counts by IP").size(), found::toString);
      assertEquals(1, log.containing("application (all endpoints)").size(), found::toString);
    }
  }

  @Test
  void holdsForCallsOfMethodsToo() {
    enter("send", "hello").admit();
    enter("send", "casino").admit();
    enter("send", "hello").admit();
    assertThrows(RateLimitExceededException.class, enter("send", "casino")::admit);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // throws what isn't declared
  private static <X extends Throwable> X sneaky(Throwable trouble) throws X {
    throw (X) trouble;
  }
}
