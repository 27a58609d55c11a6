package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.adapter.EndpointType;
import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request's way past the guard of its endpoint, without any adapter. */
class GuardedRequestTest {
  private final FakeTicker ticker = new FakeTicker();
  private WeirRuntime weir = new DefaultWeirBuilder().ticker(ticker).build();

  static class Shop {
    @RateLimit(limit = 3, window = 1, unit = ChronoUnit.MINUTES, name = "shop-ip")
    @RateLimit(limit = 1, window = 1, unit = ChronoUnit.MINUTES, by = By.USER, name = "shop-user")
    public void buy() {}

    @RateLimit(
        limit = 2,
        window = 1,
        unit = ChronoUnit.MINUTES,
        count = Count.FAILURES,
        name = "guess")
    public void guess() {}

    @RateLimit(
        limit = 2,
        window = 1,
        unit = ChronoUnit.MINUTES,
        count = Count.SUCCESSES,
        name = "win")
    public void win() {}

    @RateLimit(
        limit = 1,
        window = 1,
        unit = ChronoUnit.MINUTES,
        by = By.KEY,
        key = "header:X-Api-Key",
        tiers = @Tier(name = "gold", limit = 5),
        name = "keyed")
    @RateLimit(limit = 100, window = 1, unit = ChronoUnit.MINUTES, name = "keyed-ip")
    public void keyed() {}

    public void free() {}
  }

  @AfterEach
  void close() {
    weir.close();
  }

  @Test
  void decidesByAddressFirstAndByUserAfterwards() {
    GuardedEndpoint guard = guard("buy");
    assertTrue(guard.decides(BEFORE_AUTHENTICATION));
    assertTrue(guard.decides(AFTER_AUTHENTICATION));
    GuardedRequest request = guard.enter(alice());
    assertFalse(request.isDecided());
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertEquals("shop-ip", request.decision().policy().name());
    assertEquals(Optional.empty(), request.decide(AFTER_AUTHENTICATION));
    assertEquals(2, request.decision().parts().size());
  }

  @Test
  void aRefusalInTheSecondPhaseGivesTheFirstBack() {
    pass("buy", alice());
    for (int i = 0; i < 10; i++) {
      GuardedRequest refused = guard("buy").enter(alice());
      assertEquals(Optional.empty(), refused.decide(BEFORE_AUTHENTICATION));
      assertEquals(429, refused.decide(AFTER_AUTHENTICATION).orElseThrow().status());
    }
    pass("buy", FakeRequest.from("192.0.2.1").user("bob"));
    pass("buy", FakeRequest.from("192.0.2.1").user("carol"));
    GuardedRequest fourth = guard("buy").enter(FakeRequest.from("192.0.2.1").user("dave"));
    assertEquals(429, fourth.decide(BEFORE_AUTHENTICATION).orElseThrow().status());
  }

  @Test
  void aPolicyChargesOnceHoweverManyEndpointsHaveIt() {
    GuardedRequest request = guard("buy").enter(alice());
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    request.moveTo(guard("guess"), alice());
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    request.moveTo(guard("buy"), alice());
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertEquals(Optional.empty(), request.decide(AFTER_AUTHENTICATION));
    assertEquals(Optional.empty(), request.decide(AFTER_AUTHENTICATION));
    assertEquals(
        List.of("shop-ip", "guess", "shop-user"),
        request.decision().parts().stream().map(each -> each.policy().name()).toList());
  }

  @Test
  void whoeverGoesOnInSpiteOfARefusalIsChargedAnew() {
    pass("buy", alice());
    GuardedRequest request = guard("buy").enter(alice());
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertTrue(request.decide(AFTER_AUTHENTICATION).isPresent());
    request.moveTo(guard("guess"), alice());
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertEquals("guess", request.decision().policy().name());
    request.moveTo(guard("buy"), alice());
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertEquals(1, request.decision().parts().get(1).remaining());
  }

  @Test
  void whatIsDecidedAfterTheResponseIsSettledByItToo() {
    for (int i = 0; i < 5; i++) {
      GuardedRequest request = guard("free").enter(alice());
      request.completed(200);
      request.moveTo(guard("guess"), alice());
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    }
  }

  @Test
  void aRefusedPartLeavesWhatTheRequestWasCharged() {
    for (int i = 0; i < 3; i++) {
      GuardedRequest request = guard("win").enter(FakeRequest.from("192.0.2.9"));
      request.admit();
      request.moveTo(guard("buy"), alice());
      assertEquals(i > 0, request.admitPart().isPresent());
      assertEquals(i == 0 ? 3 : 1, request.decision().parts().size());
      request.failed();
    }
  }

  @Test
  void aFailureIsCountedAndASuccessGivenBackWhereOnlyFailuresCount() {
    for (int i = 0; i < 5; i++) {
      enter("guess").completed(200);
    }
    enter("guess").completed(401);
    enter("guess").failed();
    assertEquals(429, refusal("guess").status());
    ticker.advance(Duration.ofSeconds(62));
    enter("guess").completed(200);
  }

  @Test
  void parallelGuessesCannotSlipThrough() {
    enter("guess");
    enter("guess");
    assertEquals(429, refusal("guess").status());
  }

  @Test
  void onlySuccessesCountWhereItSaysSo() {
    for (int i = 0; i < 5; i++) {
      enter("win").completed(404);
      enter("win").failed();
    }
    enter("win").completed(399);
    enter("win").completed(200);
    assertEquals(429, refusal("win").status());
  }

  @Test
  void onlyTheFirstEndOfARequestMatters() {
    GuardedRequest failed = enter("guess");
    failed.failed();
    failed.completed(200);
    enter("guess").completed(500);
    assertEquals(429, refusal("guess").status());
  }

  @Test
  void aKeyThatIsTooLongIsTheClientsMistakeAndTakesNothing() {
    String long8k = "k".repeat(8_193);
    GuardedRequest request = guard("keyed").enter(anyone().header("X-Api-Key", long8k));
    Refusal refusal = request.decide(BEFORE_AUTHENTICATION).orElseThrow();
    assertEquals(400, refusal.status());
    assertFalse(request.isDecided());
    assertFalse(refusal.text().contains("kkkk"));
  }

  @Test
  void theTierOfTheCallerIsTheLimitThatHeSees() {
    reopen((request, policy) -> CallerTier.named("gold"));
    GuardedRequest request = pass("keyed", anyone().header("X-Api-Key", "a"));
    assertEquals(5, request.decision().parts().get(0).limit());
    assertEquals(100, request.decision().parts().get(1).limit());
  }

  @Test
  void aTierResolverThatFailsIsNobodysTrouble() {
    reopen(
        (request, policy) -> {
          throw new IllegalStateException("on purpose");
        });
    GuardedRequest request = pass("keyed", anyone().header("X-Api-Key", "a"));
    assertEquals(1, request.decision().limit());
  }

  @Test
  void theTierOfTheRequestHoldsWhereNoneIsGivenForThePolicy() {
    reopen(
        new TierResolver() {
          @Override
          public CallerTier resolve(RequestInfo request, Policy policy) {
            return request.query("own").isPresent() ? CallerTier.ofLimit(2) : CallerTier.none();
          }

          @Override
          public CallerTier tier(RequestInfo request) {
            return CallerTier.named("gold");
          }
        });
    FakeRequest gold = anyone().header("X-Api-Key", "a");
    assertEquals(5, pass("keyed", gold).decision().parts().get(0).limit());
    FakeRequest own = anyone().header("X-Api-Key", "b").query("own", "");
    assertEquals(2, pass("keyed", own).decision().parts().get(0).limit());
  }

  @Test
  void headersTellOfAllPoliciesOnceTheyDecided() {
    GuardedRequest request = guard("buy").enter(alice());
    assertTrue(request.headers().isEmpty());
    request.decide(BEFORE_AUTHENTICATION);
    request.decide(AFTER_AUTHENTICATION);
    String policies =
        request.headers().stream()
            .filter(field -> field.name().equals("RateLimit-Policy"))
            .map(HeaderField::value)
            .findFirst()
            .orElseThrow();
    assertEquals("\"shop-ip\";q=3;w=60,\"shop-user\";q=1;w=60", policies);
  }

  @Test
  void switchedOffNothingIsDecided() {
    weir.close();
    weir =
        new DefaultWeirBuilder().ticker(ticker).settings(Map.of("weir.enabled", "false")).build();
    for (int i = 0; i < 10; i++) {
      GuardedRequest request = enter("guess");
      assertFalse(request.isDecided());
      assertTrue(request.headers().isEmpty());
      request.completed(500);
    }
  }

  @Test
  void twoGuardsTogetherCountACommonPolicyOnce() {
    GuardedEndpoint both = guard("buy").and(guard("guess")).and(guard("buy"));
    GuardedRequest request = both.enter(alice());
    request.decide(BEFORE_AUTHENTICATION);
    request.decide(AFTER_AUTHENTICATION);
    assertEquals(3, request.decision().parts().size());
    assertSame(guard("guess"), guard("guess").and(guard("free")));
    assertSame(guard("guess"), guard("free").and(guard("guess")));
  }

  @Test
  void anEndpointWithoutPoliciesLetsEverybodyPass() {
    assertTrue(guard("free").isEmpty());
    assertThrows(IllegalStateException.class, () -> enter("free").decision());
  }

  @Test
  void oneWeirIsFoundByTheWholeApplicationUntilItIsClosed() {
    assertSame(weir, weir.install());
    assertSame(weir, Weir.application());
    try (WeirRuntime other = new DefaultWeirBuilder().build().install()) {
      assertSame(weir, Weir.application(), "the first one stays");
      assertNotSame(other, Weir.application());
    }
    weir.close();
    try (Weir next = Weir.application()) {
      assertNotSame(weir, next);
      assertSame(next, Weir.application());
    }
  }

  @Test
  void settingsChangeWhoIsCallingOnARunningApplicationUnlessTheyAreMalformed(@TempDir Path folder)
      throws IOException {
    Path file = Files.writeString(folder.resolve("weir.properties"), "weir.headers=both");
    weir.close();
    weir =
        new DefaultWeirBuilder()
            .ticker(ticker)
            .settings(Map.of("weir.config", file.toString()))
            .build();
    FakeRequest forwarded = anyone().header("X-Forwarded-For", "198.51.100.7");
    assertEquals(Key.address("192.0.2.1"), pass("guess", forwarded).decision().key());

    Files.writeString(file, "weir.proxy.trusted=192.0.2.0/24");
    weir.refresh();
    assertEquals(Key.address("198.51.100.7"), pass("guess", forwarded).decision().key());

    Files.writeString(file, "weir.proxy.trusted=192.0.2.0/99\nweir.enabled=false");
    weir.refresh();
    assertEquals(Key.address("198.51.100.7"), pass("guess", forwarded).decision().key());
  }

  private void reopen(TierResolver tiers) {
    weir.close();
    weir = new DefaultWeirBuilder().ticker(ticker).tierResolver(tiers).build();
  }

  private GuardedRequest pass(String method, FakeRequest from) {
    GuardedRequest request = guard(method).enter(from);
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertEquals(Optional.empty(), request.decide(AFTER_AUTHENTICATION));
    return request;
  }

  private GuardedRequest enter(String method) {
    GuardedRequest request = guard(method).enter(anyone());
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    return request;
  }

  private Refusal refusal(String method) {
    return guard(method).enter(anyone()).decide(BEFORE_AUTHENTICATION).orElseThrow();
  }

  private GuardedEndpoint guard(String method) {
    return weir.endpoint(Shop.class, method(method), EndpointType.SERVLET);
  }

  private static Method method(String name) {
    return Arrays.stream(Shop.class.getDeclaredMethods())
        .filter(each -> each.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static FakeRequest anyone() {
    return FakeRequest.from("192.0.2.1").method("GET");
  }

  private static FakeRequest alice() {
    return anyone().user("alice");
  }
}
