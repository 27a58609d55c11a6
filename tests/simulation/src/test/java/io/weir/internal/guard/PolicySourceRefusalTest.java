package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimitExceededException;
import io.weir.Reason;
import io.weir.adapter.EndpointType;
import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.metrics.DecisionCounts;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A policy source refuses requests by itself, whatever permits are left. */
class PolicySourceRefusalTest {
  private final FakeTicker ticker = new FakeTicker();
  private final Source source = new Source();
  private final DecisionCounts counts = new DecisionCounts();
  private WeirRuntime weir;

  static class Shop {
    @RateLimit(limit = 3, window = 60, name = "annotated")
    public void buy() {}

    public void free() {}
  }

  private static final class Source implements PolicySource {
    private final List<AppliedPolicy> before = new ArrayList<>();
    private final List<AppliedPolicy> after = new ArrayList<>();
    private final List<Decision> completed = new ArrayList<>();

    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
      return CompletableFuture.completedFuture(
          AppliedPolicies.of(List.copyOf(phase == BEFORE_AUTHENTICATION ? before : after)));
    }

    @Override
    public void completed(RequestInfo request, Decision decision) {
      completed.add(decision);
    }
  }

  @BeforeEach
  void open() {
    weir =
        new DefaultWeirBuilder()
            .ticker(ticker)
            .settings(Map.of("weir.headers", "ietf"))
            .metrics(counts)
            .policySource(source)
            .build();
  }

  @AfterEach
  void close() {
    weir.close();
  }

  private static PolicyBuilder policy(String name) {
    return Policy.builder(name).limit(10).window(Duration.ofMinutes(1)).by(By.IP);
  }

  private Instant in(Duration time) {
    return Instant.EPOCH.plus(ticker.epochMicros(), ChronoUnit.MICROS).plus(time);
  }

  private GuardedRequest enter(String method) {
    try {
      return weir.endpoint(Shop.class, Shop.class.getMethod(method), EndpointType.SERVLET)
          .enter(FakeRequest.from("192.0.2.1").user("alice").endpoint("/shop"));
    } catch (NoSuchMethodException mistake) {
      throw new AssertionError(mistake);
    }
  }

  private static String header(Refusal refusal, String name) {
    return refusal.headers().stream()
        .filter(each -> each.name().equals(name))
        .map(HeaderField::value)
        .findFirst()
        .orElse("none");
  }

  @Test
  void aBlockedCallerGets429UntilTheTimeAndNothingIsCharged() {
    source.before.add(AppliedPolicy.blocked(policy("rule").build(), in(Duration.ofMinutes(7))));
    source.before.add(AppliedPolicy.of(policy("other").build()));
    Refusal refusal = enter("buy").decide(BEFORE_AUTHENTICATION).orElseThrow();
    assertEquals(429, refusal.status());
    assertEquals("420", header(refusal, "Retry-After"));
    assertEquals("\"rule\";r=0;t=420", header(refusal, "RateLimit"));
    String body = refusal.text();
    assertTrue(body.contains("http-problem-types#abnormal-usage-detected\""), body);
    assertTrue(body.contains("\"violated-policies\":[\"rule\"]"), body);
    source.before.remove(0);
    GuardedRequest next = enter("buy");
    assertEquals(Optional.empty(), next.decide(BEFORE_AUTHENTICATION));
    assertEquals(2, next.decision().parts().get(0).remaining(), "of the annotated policy");
    assertEquals(9, next.decision().parts().get(1).remaining(), "of the source's other one");
  }

  @Test
  void aCallerOfWhomNothingIsKnownGets503AndADegradedDecision() {
    source.before.add(AppliedPolicy.unavailable(policy("quota").build()));
    GuardedRequest request = enter("buy");
    Refusal refusal = request.decide(BEFORE_AUTHENTICATION).orElseThrow();
    assertEquals(503, refusal.status());
    assertEquals("1", header(refusal, "Retry-After"));
    String body = refusal.text();
    assertTrue(body.contains("Policy quota can't be checked at the moment."), body);
    assertEquals(Reason.STORE_UNAVAILABLE, request.decision().reason());
    assertTrue(request.decision().degraded());
    source.before.clear();
    GuardedRequest next = enter("buy");
    next.decide(BEFORE_AUTHENTICATION);
    assertEquals(2, next.decision().remaining());
  }

  @Test
  void whatThePhaseBeforeChargedIsRefunded() {
    source.after.add(AppliedPolicy.blocked(policy("rule").build(), in(Duration.ofMinutes(1))));
    for (int i = 0; i < 5; i++) {
      GuardedRequest request = enter("buy");
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
      assertEquals(429, request.decide(AFTER_AUTHENTICATION).orElseThrow().status());
      request.completed(429);
    }
    assertEquals(5, source.completed.size());
    assertFalse(source.completed.get(4).admitted());
  }

  @Test
  void inShadowItIsToldAndCountedAndNobodyIsRefused() {
    Policy shadow = policy("rule").shadow(true).build();
    source.before.add(AppliedPolicy.blocked(shadow, in(Duration.ofMinutes(1))));
    GuardedRequest request = enter("buy");
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    List<Decision> parts = request.decision().parts();
    assertEquals(
        List.of("annotated", "rule"), parts.stream().map(each -> each.policy().name()).toList());
    assertEquals(Outcome.SHADOW_REFUSED, parts.get(1).outcome());
    assertEquals(Reason.ABNORMAL_USAGE, parts.get(1).reason());
    GuardedRequest alone = enter("free");
    assertEquals(Optional.empty(), alone.decide(BEFORE_AUTHENTICATION));
    assertEquals(Outcome.SHADOW_REFUSED, alone.decision().outcome());
    assertEquals(2, counts.of("rule").outcomes().get(Outcome.SHADOW_REFUSED));
  }

  @Test
  void inThePlaceOfABoundPolicyItRefusesToo() {
    Policy bound = Policy.builder("annotated").limit(3).window(Duration.ofMinutes(1)).build();
    source.before.add(AppliedPolicy.blocked(bound, in(Duration.ofMinutes(1))).withLimit(2));
    GuardedRequest request = enter("buy");
    assertEquals(429, request.decide(BEFORE_AUTHENTICATION).orElseThrow().status());
    assertEquals(2, request.decision().limit(), "as the caller has it");
    assertEquals(1, counts.of("annotated").outcomes().get(Outcome.REFUSED));
  }

  @Test
  void anAsynchronousRequestAndACallAreRefusedToo() {
    source.after.add(AppliedPolicy.blocked(policy("rule").build(), in(Duration.ofMinutes(1))));
    Optional<Refusal> refusal =
        enter("free").decideAsync(AFTER_AUTHENTICATION, Runnable::run).toCompletableFuture().join();
    assertEquals(429, refusal.orElseThrow().status());
    RateLimitExceededException thrown =
        assertThrows(RateLimitExceededException.class, () -> enter("buy").admit());
    assertEquals(Reason.ABNORMAL_USAGE, thrown.decision().reason());
    String told = thrown.decision().describe();
    assertTrue(told.contains("REFUSED (ABNORMAL_USAGE) by rule"), told);
  }

  @Test
  void aTimeThatIsOverIsSoon() {
    source.before.add(AppliedPolicy.blocked(policy("rule").build(), in(Duration.ofSeconds(-5))));
    assertEquals(
        "1", header(enter("free").decide(BEFORE_AUTHENTICATION).orElseThrow(), "Retry-After"));
  }
}
