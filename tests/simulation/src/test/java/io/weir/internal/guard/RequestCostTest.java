package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.Outcome;
import io.weir.RateLimitExceededException;
import io.weir.adapter.EndpointType;
import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.spi.CallerTier;
import io.weir.spi.CostResolver;
import io.weir.spi.DecisionPhase;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Determines a request's cost from the request itself. */
class RequestCostTest {
  private final FakeTicker ticker = new FakeTicker();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile double load;
  private WeirRuntime weir = with(request -> OptionalLong.empty());

  static class Shop {
    @RateLimit(
        limit = 200,
        window = 1,
        unit = ChronoUnit.DAYS,
        costFrom = "query:amount",
        tiers = @Tier(name = "gold", limit = 500),
        name = "spend")
    public void buy() {}

    @RateLimit(limit = 200, window = 60, costFrom = "query:amount", name = "other")
    @RateLimit(limit = 5, window = 60, name = "calls")
    public void twoPolicies() {}

    @RateLimit(limit = 10, window = 60, name = "first")
    @RateLimit(limit = 200, window = 60, by = By.USER, costFrom = "query:amount", name = "second")
    public void twoPhases() {}

    @RateLimit(
        limit = 200,
        window = 60,
        costFrom = "query:amount",
        count = Count.FAILURES,
        name = "failures")
    public void failures() {}

    @RateLimit(
        limit = 200,
        window = 60,
        costFrom = "query:amount",
        mode = Mode.ELASTIC,
        exceedBy = 0,
        name = "elastic")
    public void elastic() {}

    @RateLimit(limit = 200, window = 60, cost = 7, costFrom = "tokens", name = "tokens")
    public void resolved() {}

    @RateLimit(limit = 200, window = 60, costFrom = "tokens", name = "tokens-1")
    @RateLimit(limit = 300, window = 60, costFrom = "tokens", by = By.USER, name = "tokens-2")
    @RateLimit(limit = 10, window = 60, name = "tokens-3")
    public void resolvedTwice() {}

    @RateLimit(limit = 200, window = 60, costFrom = "query:amount", shadow = true, name = "watched")
    @RateLimit(limit = 10, window = 60, name = "beside")
    public void watched() {}
  }

  @AfterEach
  void close() {
    weir.close();
  }

  private WeirRuntime with(CostResolver tokens) {
    return new DefaultWeirBuilder()
        .ticker(ticker)
        .loadSensor(() -> load)
        .tierResolver(
            (request, policy) ->
                request.query("gold").isPresent() ? CallerTier.named("gold") : CallerTier.none())
        .settings(Map.of("weir.cost.POST", "3"))
        .costResolver(
            "tokens",
            request -> {
              asked.incrementAndGet();
              return tokens.resolve(request);
            })
        .build();
  }

  private void reopen(CostResolver tokens) {
    weir.close();
    weir = with(tokens);
  }

  private static FakeRequest alice() {
    return FakeRequest.from("192.0.2.1").user("alice");
  }

  private static FakeRequest paying(String amount) {
    return alice().query("amount", amount);
  }

  private GuardedEndpoint guard(String method) {
    try {
      return weir.endpoint(Shop.class, Shop.class.getMethod(method), EndpointType.SERVLET);
    } catch (NoSuchMethodException mistake) {
      throw new AssertionError(mistake);
    }
  }

  private Decision decided(String method, FakeRequest request) {
    GuardedRequest entered = guard(method).enter(request);
    for (DecisionPhase phase : DecisionPhase.values()) {
      assertEquals(Optional.empty(), entered.decide(phase));
    }
    return entered.decision();
  }

  private Optional<Refusal> refusal(String method, FakeRequest request) {
    GuardedRequest entered = guard(method).enter(request);
    Optional<Refusal> before = entered.decide(BEFORE_AUTHENTICATION);
    return before.isPresent() ? before : entered.decide(AFTER_AUTHENTICATION);
  }

  private int status(String method, FakeRequest request) {
    return refusal(method, request).orElseThrow().status();
  }

  @Test
  void isTheNumberInTheRequestAndNoOtherCost() {
    Decision first = decided("buy", paying("150"));
    assertEquals(150, first.permits());
    assertEquals(50, first.remaining());
    assertTrue(first.describe().contains("50 of 200 left, took 150"), first.describe());
    assertEquals(429, status("buy", paying("50.01")));
    Decision rest = decided("buy", paying("49.01"));
    assertEquals(50, rest.permits());
    assertEquals(429, status("buy", paying("1")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "five",
        "1e999",
        "1e2",
        "-1",
        "0x10",
        "+5",
        "",
        " ",
        ".5",
        " 5",
        "5 ",
        "\u0663",
        "5,0",
        "1.2.3",
        "1000000000000000",
        "9223372036854775808",
        "NaN"
      })
  void whatCantBePaidIsTheClientsMistakeAndChargedNowhere(String amount) {
    for (int i = 0; i < 20; i++) {
      Refusal refusal = refusal("twoPolicies", paying(amount)).orElseThrow();
      assertEquals(400, refusal.status());
      assertEquals(List.of(), refusal.headers());
      assertTrue(amount.isBlank() || !refusal.text().contains("\"" + amount), refusal.text());
    }
    Decision all = decided("twoPolicies", paying("200"));
    assertEquals(200, all.parts().get(0).permits());
    assertEquals(4, all.parts().get(1).remaining(), "nothing was charged by the other policy");
  }

  @Test
  void noAmountSeveralAndEndlessOnesAreMistakesToo() {
    assertEquals(400, status("buy", alice()));
    assertEquals(400, status("buy", paying("1").query("amount", "1")));
    assertEquals(400, status("buy", paying("9".repeat(400))));
    assertEquals(200, decided("buy", paying("200")).permits());
  }

  @Test
  void theDocumentSaysWhatIsWrongAndWhere() {
    String missing = refusal("buy", alice()).orElseThrow().text();
    assertTrue(missing.contains("The query parameter amount is missing"), missing);
  }

  @ParameterizedTest
  @ValueSource(strings = {"200.01", "201", "999999999999999"})
  void whatCanNeverBePaidIsRefusedForGoodAndChargedNowhere(String amount) {
    for (int i = 0; i < 20; i++) {
      assertIsNeverAdmitted(refusal("twoPolicies", paying(amount)).orElseThrow());
    }
    Decision all = decided("twoPolicies", paying("200"));
    assertEquals(200, all.parts().get(0).permits());
    assertEquals(4, all.parts().get(1).remaining(), "nothing was charged by the other policy");
    assertIsNeverAdmitted(refusal("twoPolicies", paying(amount)).orElseThrow());
  }

  private static void assertIsNeverAdmitted(Refusal refusal) {
    assertEquals(429, refusal.status());
    List<String> names = refusal.headers().stream().map(HeaderField::name).toList();
    assertTrue(names.contains("RateLimit") && !names.contains("Retry-After"), names::toString);
    String text = refusal.text();
    assertTrue(text.contains("never admits this request"), text);
    assertTrue(text.contains("it costs more than 200 permits"), text);
    assertFalse(text.contains("retryAfter"), text);
  }

  @Test
  void theLimitOfTheCallersTierIsWhatCanBePaid() {
    assertEquals(429, status("buy", paying("501").query("gold", "")));
    assertEquals(500, decided("buy", paying("500").query("gold", "")).permits());
  }

  @Test
  void whatOnlyTheLoadMakesTooMuchIs503() {
    load = 1;
    assertEquals(503, status("elastic", paying("150")));
    assertEquals(503, status("elastic", paying("200")));
    assertIsNeverAdmitted(refusal("elastic", paying("201")).orElseThrow());
    assertEquals(100, decided("elastic", paying("100")).permits());
    load = 0;
    assertEquals(429, status("elastic", paying("150")), "half of it is used by now");
  }

  @Test
  void nothingIsAdmittedWithoutAskingWithTheFieldsOfAPeek() {
    decided("buy", paying("200"));
    for (String nothing : List.of("0", "0.0", "000.")) {
      Decision free = decided("buy", paying(nothing));
      assertEquals(Outcome.ADMITTED, free.outcome());
      assertEquals(0, free.permits());
      assertEquals(0, free.remaining());
      assertEquals(200, free.limit());
      assertTrue(free.resetAfter().toHours() >= 23, free.describe());
    }
    GuardedRequest request = guard("buy").enter(paying("0"));
    request.decide(BEFORE_AUTHENTICATION);
    assertTrue(
        request.headers().stream()
            .anyMatch(
                field -> field.name().equals("RateLimit") && field.value().contains("r=0;t=")),
        request.headers()::toString);
  }

  @Test
  void whatWasFreeAtOneEndpointIsChargedWhereItCosts() {
    GuardedRequest request = guard("buy").enter(paying("0"));
    request.decide(BEFORE_AUTHENTICATION);
    request.moveTo(guard("buy"), paying("0"));
    request.decide(BEFORE_AUTHENTICATION);
    assertEquals(1, request.decision().parts().size(), "free once is enough");
    request.moveTo(guard("buy"), paying("30"));
    request.decide(BEFORE_AUTHENTICATION);
    assertEquals(30, request.decision().parts().get(1).permits());
    request.moveTo(guard("buy"), paying("0"));
    request.decide(BEFORE_AUTHENTICATION);
    assertEquals(2, request.decision().parts().size());
    assertTrue(
        request.headers().stream()
            .anyMatch(field -> field.value().equals("\"spend\";q=200;w=86400")),
        "of a policy that decided twice only the last is reported");
  }

  @Test
  void whereItCostsMoreTheRestIsChargedAndRefundedWithTheFirst() {
    GuardedRequest request = guard("buy").enter(paying("30"));
    request.decide(BEFORE_AUTHENTICATION);
    request.moveTo(guard("buy"), paying("50"));
    request.decide(BEFORE_AUTHENTICATION);
    request.moveTo(guard("buy"), paying("40"));
    request.decide(BEFORE_AUTHENTICATION);
    assertEquals(
        List.of(30L, 20L), request.decision().parts().stream().map(Decision::permits).toList());
    assertEquals(150, decided("buy", paying("0")).remaining());
    request.refused();
    assertEquals(200, decided("buy", paying("0")).remaining());
  }

  @Test
  void aMistakeInTheSecondPhaseRefundsTheFirst() {
    for (int i = 0; i < 20; i++) {
      assertEquals(400, status("twoPhases", paying("many")));
    }
    assertEquals(9, decided("twoPhases", paying("5")).parts().get(0).remaining());
  }

  @Test
  void aRefusalInTheSecondPhaseRefundsTheFirst() {
    decided("twoPhases", paying("190"));
    for (int i = 0; i < 20; i++) {
      assertEquals(429, status("twoPhases", paying("11")));
    }
    assertEquals(8, decided("twoPhases", paying("10")).parts().get(0).remaining());
  }

  @Test
  void whatDoesntCountIsRefundedWhole() {
    for (int i = 0; i < 5; i++) {
      GuardedRequest request = guard("failures").enter(paying("150"));
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
      request.completed(200);
    }
    GuardedRequest failed = guard("failures").enter(paying("150"));
    failed.decide(BEFORE_AUTHENTICATION);
    failed.completed(500);
    assertEquals(429, status("failures", paying("51")));
    assertEquals(50, decided("failures", paying("50")).permits());
  }

  @Test
  void aCallOfAMethodThrowsWhatIsWrong() {
    GuardedRequest call = guard("buy").enter(paying("-1"));
    String says = assertThrows(InvalidRequestException.class, call::admit).getMessage();
    assertTrue(says.startsWith("The query parameter amount must be a number"), says);
    guard("buy").enter(paying("200")).admit();
    assertThrows(RateLimitExceededException.class, guard("buy").enter(paying("1"))::admit);
  }

  @Test
  void anAsynchronousDecisionAnswersTheSame() throws Exception {
    for (String amount : List.of("x", "201")) {
      GuardedRequest request = guard("buy").enter(paying(amount));
      Optional<Refusal> refusal =
          request.decideAsync(BEFORE_AUTHENTICATION, Runnable::run).toCompletableFuture().get();
      assertEquals(amount.equals("x") ? 400 : 429, refusal.orElseThrow().status());
    }
    GuardedRequest free = guard("buy").enter(paying("0"));
    free.decideAsync(BEFORE_AUTHENTICATION, Runnable::run).toCompletableFuture().get();
    assertEquals(0, free.decision().permits());
  }

  @Test
  void aResolverIsAskedAfterTheSignInOnceForARequest() {
    reopen(request -> OptionalLong.of(request.user().map(String::length).orElseThrow()));
    GuardedRequest request = guard("resolvedTwice").enter(alice());
    request.decide(BEFORE_AUTHENTICATION);
    assertEquals(0, asked.get());
    assertEquals("tokens-3", request.decision().policy().name());
    request.decide(AFTER_AUTHENTICATION);
    request.moveTo(guard("resolved"), alice());
    request.decide(BEFORE_AUTHENTICATION);
    request.decide(AFTER_AUTHENTICATION);
    assertEquals(1, asked.get());
    assertEquals(
        List.of(1L, 5L, 5L, 5L),
        request.decision().parts().stream().map(Decision::permits).toList());
    decided("resolved", alice());
    assertEquals(2, asked.get(), "of the next request anew");
  }

  @Test
  void aResolverThatKnowsNothingIsTheClientsMistake() {
    Refusal refusal = refusal("resolved", alice()).orElseThrow();
    assertEquals(400, refusal.status());
    assertTrue(refusal.text().contains("The cost tokens can't be determined from the request"));
    reopen(request -> OptionalLong.of(Long.MAX_VALUE));
    assertIsNeverAdmitted(refusal("resolved", alice()).orElseThrow());
    reopen(request -> OptionalLong.of(0));
    assertEquals(0, decided("resolved", alice()).permits());
  }

  /** It holds up only its own request, which is charged when it has answered. */
  @Test
  void aSlowResolverHoldsUpNobodyElse() throws Exception {
    CountDownLatch asks = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    reopen(
        request -> {
          if (request.query("slow").isPresent()) {
            asks.countDown();
            await(answers);
          }
          return OptionalLong.of(5);
        });
    CompletableFuture<Decision> slow =
        CompletableFuture.supplyAsync(() -> decided("resolved", alice().query("slow", "1")));
    await(asks);
    assertEquals(195, decided("resolved", alice()).remaining());
    assertFalse(slow.isDone());
    answers.countDown();
    assertEquals(190, slow.get(120, TimeUnit.SECONDS).remaining());
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(120, TimeUnit.SECONDS));
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  @Test
  @SuppressWarnings("NullAway") // the mistake that is tested
  void aResolverThatFailsCostsWhatThePolicySaysAndIsToldOnce() {
    List<CostResolver> broken =
        List.of(
            request -> {
              throw new IllegalStateException("on purpose");
            },
            request -> {
              throw new NoClassDefFoundError("on purpose");
            },
            request -> OptionalLong.of(-1),
            request -> OptionalLong.of(Long.MIN_VALUE),
            request -> null);
    for (CostResolver each : broken) {
      reopen(each);
      try (LogLines log = new LogLines()) {
        assertEquals(7, decided("resolved", alice()).permits());
        assertEquals(7, decided("resolved", alice()).permits());
        assertEquals(
            List.of(3L, 3L, 3L),
            decided("resolvedTwice", alice().method("POST")).parts().stream()
                .map(Decision::permits)
                .toList(),
            "else what weir.cost.POST says");
        assertEquals(1, log.containing("the cost resolver tokens failed").size());
      }
    }
  }

  @Test
  void inShadowModeNobodyIsTurnedAway() {
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 3; i++) {
        Decision decision = decided("watched", paying("many"));
        assertEquals("beside", decision.policy().name());
      }
      assertEquals(
          1, log.containing("it would have answered 400: The query parameter amount").size());
    }
    Decision tooMuch = decided("watched", paying("201"));
    assertTrue(tooMuch.admitted() && !tooMuch.neverAdmitted(), tooMuch.describe());
    assertEquals(Outcome.SHADOW_REFUSED, tooMuch.parts().get(0).outcome());
    Decision counted = decided("watched", paying("200"));
    assertEquals(200, counted.parts().get(0).permits());
    assertFalse(counted.parts().get(1).policy().shadow());
  }
}
