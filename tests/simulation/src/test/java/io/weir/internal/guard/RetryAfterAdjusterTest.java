package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.RateLimitExceededException;
import io.weir.adapter.EndpointType;
import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.spi.DecisionPhase;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps the charges of a request that is refused after something has run for it. */
class RetryAfterAdjusterTest {
  private static final Duration TICK = Duration.ofNanos(1_000);

  private final FakeTicker ticker = new FakeTicker();
  private final WeirRuntime weir = new DefaultWeirBuilder().ticker(ticker).build();

  static class Site {
    @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, name = "sliding")
    public void sliding() {}

    @RateLimit(
        limit = 2,
        window = 1,
        unit = ChronoUnit.HOURS,
        algorithm = Algorithm.FIXED_WINDOW,
        name = "fixed")
    public void fixed() {}

    @RateLimit(
        limit = 2,
        window = 1,
        unit = ChronoUnit.HOURS,
        algorithm = Algorithm.TOKEN_BUCKET,
        name = "token")
    public void token() {}

    @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, cost = 2, name = "costly")
    public void costly() {}

    @RateLimit(
        limit = 1,
        window = 1,
        unit = ChronoUnit.HOURS,
        count = Count.SUCCESSES,
        name = "winning")
    public void winning() {}

    @RateLimit(limit = 1, window = 1, unit = ChronoUnit.HOURS, shadow = true, name = "watched")
    public void watched() {}

    @RateLimit(limit = 10, window = 60, name = "address")
    @RateLimit(limit = 1, window = 60, by = By.USER, name = "user")
    public void both() {}

    @RateLimit(limit = 1, window = 60, name = "target")
    public void target() {}

    @RateLimit(limit = 9, window = 60, costFrom = "query:amount", name = "priced")
    public void priced() {}

    @RateLimit(limit = 10, window = 60, costFrom = "query:amount", name = "spent")
    public void spent() {}
  }

  @AfterEach
  void close() {
    weir.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sliding", "fixed", "token", "costly"})
  void whoComesBackAtRetryAfterIsAdmittedAndATickEarlierIsNot(String front) {
    if (!front.equals("costly")) {
      decide(enter(front));
    }
    decide(enter("target"));
    GuardedRequest refused = dispatched(front, "target");
    Decision refusal = refused.decision();
    assertFalse(refusal.admitted());
    assertEquals("target", refusal.policy().name());
    Duration retry = refusal.retryAfter();
    assertTrue(retry.compareTo(Duration.ofMinutes(10)) > 0, front + ": " + retry);
    ticker.advance(retry.minus(TICK));
    assertFalse(dispatched(front, "target").decision().admitted());
    ticker.advance(TICK);
    assertTrue(dispatched(front, "target").decision().admitted(), front + ": " + retry);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sliding", "winning", "watched"})
  void whatIsLeftOrGivenBackOrShadowedKeepsNobodyWaiting(String front) {
    decide(enter("target"));
    Decision refusal = dispatched(front, "target").decision();
    assertFalse(refusal.admitted());
    assertTrue(refusal.retryAfter().compareTo(Duration.ofSeconds(61)) <= 0, refusal.describe());
  }

  @Test
  void whereNothingRunsBetweenThePhasesARefusalRefundsBoth() {
    decide(enter("both"), AFTER_AUTHENTICATION);
    for (int i = 0; i < 5; i++) {
      GuardedRequest request = enter("both");
      assertEquals(Optional.empty(), decide(request));
      assertEquals(429, decide(request, AFTER_AUTHENTICATION).orElseThrow().status());
    }
    assertEquals(9, decided(enter("both")).remaining());
  }

  @Test
  void whereSomethingRunsBetweenThemTheFirstStays() {
    decide(enter("both"), AFTER_AUTHENTICATION);
    for (int i = 0; i < 5; i++) {
      GuardedRequest request = enter("both");
      assertEquals(Optional.empty(), decide(request));
      request.keep();
      Refusal refusal = decide(request, AFTER_AUTHENTICATION).orElseThrow();
      assertEquals(429, refusal.status());
      assertEquals("\"address\";q=10;w=60,\"user\";q=1;w=60", policies(refusal.headers()));
    }
    assertEquals(4, decided(enter("both")).remaining());
  }

  @Test
  void aMistakeReportsWhatStaysAndWithoutAnythingNothing() {
    GuardedRequest kept = enter("sliding");
    decide(kept);
    kept.keep();
    kept.moveTo(guard("priced"), caller());
    Refusal mistake = decide(kept).orElseThrow();
    assertEquals(400, mistake.status());
    assertEquals("\"sliding\";q=2;w=3600", policies(mistake.headers()));
    assertEquals(mistake.headers(), kept.headers());
    assertEquals(0, decided(enter("sliding")).remaining());

    GuardedRequest alone = enter("priced");
    assertEquals(List.of(), decide(alone).orElseThrow().headers());
  }

  @Test
  void whoGoesOnAfterARefusalIsNotChargedAgainForWhatStays() {
    decide(enter("target"));
    GuardedRequest request = dispatched("sliding", "target");
    request.moveTo(guard("sliding"), caller());
    assertEquals(Optional.empty(), decide(request));
    assertEquals(List.of("sliding"), names(request.decision()));
    assertEquals(0, decided(enter("sliding")).remaining(), "one of the two was charged once");
  }

  @Test
  void theRestThatATargetAsksForIsAllThatItGivesBack() {
    decide(guard("spent").enter(paying("5")));
    GuardedRequest request = guard("spent").enter(paying("2"));
    decide(request);
    request.keep();
    request.moveTo(guard("spent"), paying("6"));
    assertEquals(429, decide(request).orElseThrow().status());
    GuardedRequest next = guard("spent").enter(paying("3"));
    assertEquals(0, decided(next).remaining(), "10 - 5 - 2 - 3");
  }

  @Test
  void aRefusalThatIsThrownMakesAllFinal() {
    GuardedRequest request = enter("sliding");
    decide(request);
    decide(enter("sliding"));
    GuardedRequest refused = enter("target");
    decide(refused);
    GuardedRequest part = enter("target");
    RateLimitExceededException thrown = (RateLimitExceededException) part.admitPart().orElseThrow();
    Refusal refusal = request.refusalOf(thrown, name -> List.of());
    assertEquals("\"target\";q=1;w=60", policies(refusal.headers()));
    request.refused();
    assertEquals(429, decide(enter("sliding")).orElseThrow().status(), "both stay charged");
  }

  @Test
  void withoutWaitingItIsTheSame() throws Exception {
    decide(enter("target"));
    decide(enter("sliding"));
    GuardedRequest request = enter("sliding");
    decide(request);
    request.keep();
    request.moveTo(guard("target"), caller());
    Refusal refusal =
        request
            .decideAsync(BEFORE_AUTHENTICATION, Runnable::run)
            .toCompletableFuture()
            .get(120, TimeUnit.SECONDS)
            .orElseThrow();
    assertEquals(429, refusal.status());
    assertTrue(request.decision().retryAfter().compareTo(Duration.ofMinutes(50)) > 0);
    assertEquals(429, decide(enter("sliding")).orElseThrow().status(), "it stays charged");
  }

  /** One endpoint has run for it when the next one decides. */
  private GuardedRequest dispatched(String front, String target) {
    GuardedRequest request = enter(front);
    if (decide(request).isEmpty()) {
      request.keep();
      request.moveTo(guard(target), caller());
      decide(request);
    }
    return request;
  }

  private Decision decided(GuardedRequest request) {
    assertEquals(Optional.empty(), decide(request));
    return request.decision();
  }

  private static Optional<Refusal> decide(GuardedRequest request) {
    return decide(request, BEFORE_AUTHENTICATION);
  }

  private static Optional<Refusal> decide(GuardedRequest request, DecisionPhase phase) {
    return request.decide(phase);
  }

  private GuardedRequest enter(String method) {
    return guard(method).enter(caller());
  }

  private GuardedEndpoint guard(String method) {
    Method found =
        Arrays.stream(Site.class.getDeclaredMethods())
            .filter(each -> each.getName().equals(method))
            .findFirst()
            .orElseThrow();
    return weir.endpoint(Site.class, found, EndpointType.SERVLET);
  }

  private static List<String> names(Decision decision) {
    return decision.parts().stream().map(each -> each.policy().name()).toList();
  }

  private static String policies(List<HeaderField> headers) {
    return headers.stream()
        .filter(each -> each.name().equals("RateLimit-Policy"))
        .map(HeaderField::value)
        .findFirst()
        .orElse("");
  }

  private static FakeRequest caller() {
    return FakeRequest.from("192.0.2.1").method("GET").user("alice");
  }

  private static FakeRequest paying(String amount) {
    return caller().query("amount", amount);
  }
}
