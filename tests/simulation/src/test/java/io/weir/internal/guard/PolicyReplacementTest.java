package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.adapter.EndpointType;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A policy source that speaks of policies which annotations have bound. */
class PolicyReplacementTest {
  private final Map<String, String> settings = new HashMap<>();
  private final Source source = new Source();
  private WeirRuntime weir = open();

  static class Shop {
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "search")
    public void search() {}

    @RateLimit(limit = 10, window = 60, by = By.IP, costFrom = "query:amount", name = "pay")
    public void pay() {}

    @RateLimit(limit = 10, window = 60, by = By.IP, when = "risky", name = "risk")
    public void risk() {}

    @RateLimit(
        limit = 10,
        window = 60,
        algorithm = Algorithm.TOKEN_BUCKET,
        burst = 2,
        name = "bucket")
    public void bucket() {}

    @RateLimit(limit = 10, window = 60, by = By.IP, name = "early")
    @RateLimit(limit = 10, window = 60, by = By.USER, name = "late")
    public void both() {}
  }

  /** Answers the same to everybody, and remembers which policies were bound. */
  private static final class Source implements PolicySource {
    private final List<AppliedPolicy> answer = new ArrayList<>();
    private final Map<DecisionPhase, List<Policy>> bound = new EnumMap<>(DecisionPhase.class);

    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> boundHere) {
      bound.put(phase, boundHere);
      return CompletableFuture.completedStage(AppliedPolicies.of(answer));
    }
  }

  private WeirRuntime open() {
    return new DefaultWeirBuilder()
        .ticker(new FakeTicker())
        .settings(settings)
        .requestCondition("risky", request -> request.query("risky").isPresent())
        .policySource(source)
        .build();
  }

  @AfterEach
  void close() {
    weir.close();
  }

  private GuardedEndpoint endpoint(String method) {
    try {
      return weir.endpoint(Shop.class, Shop.class.getMethod(method), EndpointType.SERVLET);
    } catch (NoSuchMethodException mistake) {
      throw new AssertionError(mistake);
    }
  }

  private static FakeRequest caller() {
    return FakeRequest.from("192.0.2.1").method("GET").user("alice");
  }

  private static PolicyBuilder replacement(String name, long limit) {
    return Policy.builder(name).limit(limit).window(Duration.ofMinutes(1));
  }

  /** The same policy under its own limit instead of the one that the bound policy has. */
  private static AppliedPolicy limiting(Policy policy) {
    return AppliedPolicy.of(policy).withLimit(policy.limit());
  }

  private GuardedRequest decide(String method, FakeRequest request) {
    GuardedRequest entered = endpoint(method).enter(request);
    if (entered.decide(BEFORE_AUTHENTICATION).isEmpty()) {
      entered.decide(AFTER_AUTHENTICATION);
    }
    return entered;
  }

  private long admitted(String method) {
    long admitted = 0;
    while (admitted < 50 && decide(method, caller()).decision().admitted()) {
      admitted++;
    }
    return admitted;
  }

  private static List<String> names(Decision decision) {
    return decision.parts().stream().map(part -> part.policy().name()).toList();
  }

  @Test
  void aReplacementRaisesAndLowersTheLimitAndKeepsTheCount() {
    assertEquals(3, admitted("search"));
    source.answer.add(limiting(replacement("search", 5).build()));
    assertEquals(2, admitted("search"), "three were used");
    source.answer.set(0, source.answer.get(0).withLimit(20));
    assertEquals(15, admitted("search"));
    source.answer.set(0, source.answer.get(0).withLimit(1));
    assertEquals(0, admitted("search"));
    Decision decision = decide("search", caller()).decision();
    assertEquals(1, decision.limit());
    assertEquals(List.of("search"), names(decision), "and not the bound one beside it");
  }

  @Test
  void whoIsCountedSaysTheBoundPolicy() {
    Policy byNobody = replacement("search", 2).by(By.ENDPOINT).build();
    source.answer.add(limiting(byNobody).withKey(Key.of("other")));
    Decision decision = decide("search", caller()).decision();
    source.answer.clear();
    assertEquals(decide("search", caller()).decision().key(), decision.key());
  }

  @Test
  void aPolicyThatIsOffDecidesNothing() {
    source.answer.add(AppliedPolicy.off(replacement("search", 1).build()));
    assertFalse(decide("search", caller()).isDecided());
    source.answer.add(AppliedPolicy.of(replacement("rule", 10).build()));
    assertEquals(List.of("rule"), names(decide("search", caller()).decision()));
    source.answer.clear();
    assertEquals(3, admitted("search"), "nothing was taken meanwhile");
  }

  @Test
  void offOfWhatIsNotBoundDoesNothing() {
    source.answer.add(AppliedPolicy.off(replacement("other", 1).build()));
    assertEquals(List.of("search"), names(decide("search", caller()).decision()));
  }

  @Test
  void withoutALimitOfItsOwnItLeavesThePolicyItsLimit() {
    source.answer.add(AppliedPolicy.of(replacement("search", 50).build()));
    assertEquals(3, admitted("search"));
  }

  @Test
  void halfTheLimitIsHalfOfWhateverTheCallerWouldHave() {
    settings.put("weir.policy.search.limit", "21");
    weir.close();
    weir = open();
    source.answer.add(AppliedPolicy.of(replacement("search", 50).build()).withHalfLimit());
    assertEquals(10, decide("search", caller()).decision().limit(), "of the settings");
    source.answer.set(0, source.answer.get(0).withLimit(30));
    assertEquals(15, decide("search", caller()).decision().limit(), "of the source");
    source.answer.set(0, source.answer.get(0).withLimit(1));
    assertEquals(1, decide("search", caller()).decision().limit(), "at least 1");
    source.answer.add(AppliedPolicy.of(replacement("rule", 8).build()).withHalfLimit());
    Decision decision = decide("search", caller().peer("192.0.2.9")).decision();
    assertEquals(4, decision.parts().get(1).limit(), "of a policy that isn't bound");
  }

  @Test
  void underHalfTheLimitARequestCanStillPass() {
    source.answer.add(limiting(replacement("search", 10).build()).withPermits(8).withHalfLimit());
    source.answer.add(AppliedPolicy.of(replacement("rule", 8).cost(8).build()).withHalfLimit());
    Decision decision = decide("search", caller()).decision();
    assertTrue(decision.admitted());
    assertEquals(5, decision.parts().get(0).permits());
    assertEquals(4, decision.parts().get(1).permits());
  }

  @Test
  void theSourceMayPutAPolicyInShadowMode() {
    source.answer.add(limiting(replacement("search", 1).shadow(true).build()));
    assertEquals(50, admitted("search"));
  }

  @Test
  void aCostThatTheSourceGivesHoldsElseThatOfThePolicy() {
    settings.put("weir.cost.POST", "4");
    weir.close();
    weir = open();
    Policy hundred = replacement("search", 100).cost(7).build();
    source.answer.add(limiting(hundred));
    assertEquals(1, decide("search", caller()).decision().permits());
    assertEquals(3, decide("search", caller().method("POST")).decision().permits(), "as bound");
    source.answer.set(0, limiting(hundred).withPermits(9));
    assertEquals(9, decide("search", caller().method("POST")).decision().permits());
    source.answer.set(0, limiting(hundred).withLimit(2));
    assertEquals(
        2, decide("search", caller().peer("192.0.2.2").method("POST")).decision().permits());
  }

  @Test
  void costAndConditionAreReadAsTheBoundPolicySays() {
    source.answer.add(limiting(replacement("pay", 50).costFrom("query:other").build()));
    source.answer.add(limiting(replacement("risk", 50).when("unknown").build()));
    assertEquals(30, decide("pay", caller().query("amount", "30")).decision().permits());
    GuardedRequest tooMuch = endpoint("pay").enter(caller().query("amount", "51"));
    assertEquals(429, tooMuch.decide(BEFORE_AUTHENTICATION).orElseThrow().status());
    source.answer.set(0, source.answer.get(0).withPermits(5));
    assertEquals(5, decide("pay", caller().query("amount", "30")).decision().permits());
    source.answer.remove(0);
    assertFalse(decide("risk", caller()).isDecided());
    assertEquals(50, decide("risk", caller().query("risky", "")).decision().limit());
  }

  @Test
  void anotherBucketCanNotTakeThePlace() throws Exception {
    source.answer.add(limiting(replacement("search", 9).window(Duration.ofHours(1)).build()));
    source.answer.add(limiting(replacement("bucket", 9).algorithm(Algorithm.FIXED_WINDOW).build()));
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 2; i++) {
        Decision decision = decide("search", caller()).decision();
        assertEquals(List.of("search", "bucket"), names(decision));
        assertEquals(3, decision.parts().get(0).limit(), "the bound one holds");
        assertEquals(10, decide("bucket", caller()).decision().parts().get(0).limit());
      }
      assertEquals(1, log.containing("The policy search of the PolicySource").size());
    }
  }

  @Test
  void anotherBurstCan() {
    Policy policy = replacement("bucket", 10).algorithm(Algorithm.TOKEN_BUCKET).burst(5).build();
    source.answer.add(limiting(policy));
    assertEquals(5, admitted("bucket"));
  }

  @Test
  void isToldWhatIsBoundInThePhaseAsItIsInForce() {
    decide("both", caller());
    List<Policy> early = source.bound.get(BEFORE_AUTHENTICATION);
    assertEquals(List.of("early"), early.stream().map(Policy::name).toList());
    assertEquals("late", source.bound.get(AFTER_AUTHENTICATION).get(0).name());
    decide("both", caller());
    assertSame(early, source.bound.get(BEFORE_AUTHENTICATION), "nothing has changed");
    settings.put("weir.policy.early.limit", "77");
    weir.close();
    weir = open();
    decide("both", caller());
    List<Policy> changed = source.bound.get(BEFORE_AUTHENTICATION);
    assertNotSame(early, changed);
    assertEquals(77, changed.get(0).limit());
    assertTrue(weir.unlimited().bound(BEFORE_AUTHENTICATION).isEmpty());
  }

  @Test
  void aCallThatDecidesBothPhasesAtOnceHasEachPolicyOnce() {
    source.answer.add(limiting(replacement("late", 4).build()));
    source.answer.add(AppliedPolicy.of(replacement("rule", 8).build()));
    GuardedRequest call = endpoint("both").enter(caller());
    call.admit();
    assertEquals(List.of("early", "rule", "late"), names(call.decision()));
    assertEquals(Optional.of(4L), limit(call.decision(), "late"));
  }

  @Test
  void inTheOtherPhaseItDoesNothing() {
    source.answer.add(limiting(replacement("late", 4).build()));
    GuardedRequest request = endpoint("both").enter(caller());
    request.decide(BEFORE_AUTHENTICATION);
    assertEquals(List.of("early"), names(request.decision()));
    request.decide(AFTER_AUTHENTICATION);
    assertEquals(List.of("early", "late"), names(request.decision()));
    assertEquals(Optional.of(4L), limit(request.decision(), "late"));
  }

  private static Optional<Long> limit(Decision decision, String policy) {
    return decision.parts().stream()
        .filter(part -> part.policy().name().equals(policy))
        .map(Decision::limit)
        .findFirst();
  }
}
