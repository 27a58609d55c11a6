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
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.util.List;
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
  }

  private static boolean isRisky(io.weir.spi.RequestInfo request) {
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

  @AfterEach
  void close() {
    weir.close();
  }

  private GuardedEndpoint guard(String method) {
    try {
      return weir.endpoint(Mail.class, Mail.class.getMethod(method), EndpointType.SERVLET);
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
    request.decideAsync(AFTER_AUTHENTICATION).toCompletableFuture().get();
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
