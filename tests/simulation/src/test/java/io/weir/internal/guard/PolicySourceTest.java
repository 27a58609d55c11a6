package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimitExceededException;
import io.weir.adapter.EndpointType;
import io.weir.adapter.Refusal;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.extension.SafePolicySource;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import io.weir.spi.SourceContext;
import io.weir.spi.TierResolver;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Policies that a source adds to those of the annotations, without any adapter. */
class PolicySourceTest {
  private final FakeTicker ticker = new FakeTicker();
  private final ScheduledExecutorService timer =
      DaemonThreadFactory.scheduler(DaemonThreadFactory.named("weir-test"), 1);
  private final Source source = new Source();
  private WeirRuntime weir;

  static class Shop {
    @RateLimit(limit = 3, window = 60, name = "annotated")
    public void buy() {}

    public void free() {}

    @RateLimit(limit = 1, window = 60, when = "mistaken", name = "replaced")
    public void conditional() {}
  }

  /** Answers what the test wants, and records the questions. */
  private static final class Source implements PolicySource {
    private final List<String> asked = new ArrayList<>();
    private final List<AppliedPolicy> before = new ArrayList<>();
    private final List<AppliedPolicy> after = new ArrayList<>();
    private Optional<CompletionStage<AppliedPolicies>> other = Optional.empty();
    private Runnable changed = () -> {};
    private String setting = "";
    private boolean closed;

    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
      asked.add(
          "%s %s %s %s"
              .formatted(request.method(), request.endpoint(), tier.name().orElse("-"), phase));
      List<AppliedPolicy> known = phase == BEFORE_AUTHENTICATION ? before : after;
      return other.orElseGet(
          () -> CompletableFuture.completedStage(AppliedPolicies.of(List.copyOf(known))));
    }

    @Override
    public void start(SourceContext application) {
      setting = application.setting("weir.headers");
    }

    @Override
    public void onChange(Runnable listener) {
      changed = listener;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @BeforeEach
  void open() {
    open(Map.of("weir.store.timeout", "50ms", "weir.headers", "ietf"), (request, policy) -> none());
  }

  private void open(Map<String, String> settings, TierResolver tiers) {
    weir =
        new DefaultWeirBuilder()
            .ticker(ticker)
            .settings(settings)
            .tierResolver(tiers)
            .policySource(source)
            .build();
  }

  @AfterEach
  void close() {
    weir.close();
    timer.shutdownNow();
  }

  private static CallerTier none() {
    return CallerTier.none();
  }

  private static Policy policy(String name, long limit) {
    return Policy.builder(name).limit(limit).window(Duration.ofMinutes(1)).build();
  }

  private GuardedEndpoint endpoint(String method) {
    try {
      return weir.endpoint(Shop.class, Shop.class.getMethod(method), EndpointType.SERVLET);
    } catch (NoSuchMethodException mistake) {
      throw new AssertionError(mistake);
    }
  }

  private static FakeRequest alice() {
    return FakeRequest.from("192.0.2.1").user("alice").endpoint("/shop");
  }

  private GuardedRequest enter(String method) {
    return endpoint(method).enter(alice());
  }

  private static List<String> names(Decision decision) {
    return decision.parts().stream().map(part -> part.policy().name()).toList();
  }

  @Test
  void limitsEveryEndpointInBothPhasesAnnotatedOrNot() {
    source.before.add(AppliedPolicy.of(policy("rule", 1)));
    GuardedEndpoint free = endpoint("free");
    assertFalse(free.isEmpty());
    assertTrue(free.decides(BEFORE_AUTHENTICATION) && free.decides(AFTER_AUTHENTICATION));
    assertEquals(Optional.empty(), free.enter(alice()).decide(BEFORE_AUTHENTICATION));
    assertEquals(
        429, free.enter(alice()).decide(BEFORE_AUTHENTICATION).map(Refusal::status).orElse(0));
    assertEquals("GET /shop - BEFORE_AUTHENTICATION", source.asked.get(0));
    assertFalse(weir.endpoint("/any", false, false).isEmpty(), "nor are paths");
  }

  /** A condition that reads the user, but says that it doesn't. */
  private static final class Mistaken implements RequestCondition {
    @Override
    public boolean test(RequestInfo request) {
      return request.user().isPresent();
    }

    @Override
    public boolean needsUser() {
      return false;
    }
  }

  private static Policy conditional(String name, long limit) {
    return Policy.builder(name).limit(limit).window(Duration.ofMinutes(1)).when("mistaken").build();
  }

  private static FakeRequest unknown(String endpoint) {
    return FakeRequest.from("192.0.2.1").endpoint(endpoint);
  }

  @Test
  void aPolicyWhoseConditionReadsTheUserWaitsForThePhaseAfterTheSignIn() {
    weir.close();
    weir =
        new DefaultWeirBuilder()
            .ticker(ticker)
            .policySource(source)
            .requestCondition("mistaken", new Mistaken())
            .build();
    source.before.add(AppliedPolicy.of(conditional("rule", 1)));
    source.before.add(AppliedPolicy.of(policy("other", 9)));
    source.before.add(AppliedPolicy.of(conditional("replaced", 7)).withLimit(7));
    for (int status : new int[] {200, 429}) {
      GuardedRequest request = endpoint("conditional").enter(unknown("/shop"));
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
      assertEquals(List.of("other"), names(request.decision()));
      request.moveTo(endpoint("free"), unknown("/elsewhere").user("alice"));
      assertEquals(Optional.empty(), request.decide(AFTER_AUTHENTICATION));
      request.moveTo(endpoint("conditional"), alice());
      Optional<Refusal> refusal = request.decide(AFTER_AUTHENTICATION);
      assertEquals(status == 200 ? 0 : 429, refusal.map(Refusal::status).orElse(0));
      if (refusal.isEmpty()) {
        assertEquals(List.of("other", "replaced", "rule"), names(request.decision()));
        assertEquals(7, request.decision().parts().get(1).limit());
      }
    }
  }

  @Test
  void isAskedOnceOfARequestOfWhichItHasNothingToSayInAnyPhase() {
    source.other = Optional.of(CompletableFuture.completedFuture(AppliedPolicies.noneInAnyPhase()));
    GuardedRequest request = enter("free");
    request.decide(BEFORE_AUTHENTICATION);
    request.decide(AFTER_AUTHENTICATION);
    assertEquals(List.of("GET /shop - BEFORE_AUTHENTICATION"), source.asked);

    source.other = Optional.empty();
    source.after.add(AppliedPolicy.of(policy("rule", 1)));
    request.moveTo(endpoint("free"), alice());
    request.decide(AFTER_AUTHENTICATION);
    assertEquals(List.of("rule"), names(request.decision()), "it has moved on");
  }

  @Test
  void whereAPolicyIsBoundItIsAskedInEachPhase() {
    source.other = Optional.of(CompletableFuture.completedFuture(AppliedPolicies.noneInAnyPhase()));
    GuardedRequest request = enter("buy");
    request.decide(BEFORE_AUTHENTICATION);
    request.decide(AFTER_AUTHENTICATION);
    assertEquals(2, source.asked.size());
    assertEquals(List.of("annotated"), names(request.decision()));
  }

  @Test
  void isDecidedTogetherWithTheAnnotationsAllOrNothing() {
    source.before.add(AppliedPolicy.of(policy("rule", 1)));
    GuardedRequest first = enter("buy");
    assertEquals(Optional.empty(), first.decide(BEFORE_AUTHENTICATION));
    assertEquals(List.of("annotated", "rule"), names(first.decision()));
    assertFalse(first.decision().degraded());
    for (int i = 0; i < 5; i++) {
      assertTrue(enter("buy").decide(BEFORE_AUTHENTICATION).isPresent());
    }
    source.before.clear();
    GuardedRequest second = enter("buy");
    assertEquals(Optional.empty(), second.decide(BEFORE_AUTHENTICATION));
    assertEquals(1, second.decision().remaining(), "refusals have taken nothing");
  }

  @Test
  void aRefusalAfterAuthenticationRefundsThePhaseBefore() {
    source.after.add(AppliedPolicy.of(policy("rule", 1)).withPermits(2));
    for (int i = 0; i < 5; i++) {
      GuardedRequest request = enter("buy");
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
      assertTrue(request.decide(AFTER_AUTHENTICATION).isPresent());
    }
  }

  @Test
  void chargesARequestOnceWhereverItIsDispatched() {
    source.before.add(AppliedPolicy.of(policy("rule", 10)).withPermits(2));
    GuardedRequest request = enter("free");
    request.decide(BEFORE_AUTHENTICATION);
    request.moveTo(endpoint("buy"), alice());
    request.decide(BEFORE_AUTHENTICATION);
    assertEquals(List.of("rule", "annotated"), names(request.decision()));
    assertEquals(8, request.decision().parts().get(0).remaining());
    source.before.set(0, source.before.get(0).withPermits(3));
    request.moveTo(endpoint("free"), alice());
    request.decide(BEFORE_AUTHENTICATION);
    assertEquals(7, request.decision().parts().get(2).remaining(), "the rest");
  }

  @Test
  void policiesOfOneNameThatCountDifferentlyAreBothDecided() {
    PolicyBuilder rule = Policy.builder("rule").limit(10).window(Duration.ofMinutes(1));
    source.before.add(AppliedPolicy.of(rule.by(By.IP).build()));
    source.after.add(AppliedPolicy.of(rule.limit(1).by(By.USER).build()));
    for (int i = 0; i < 2; i++) {
      GuardedRequest request = enter("free");
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
      assertEquals(i == 1, request.decide(AFTER_AUTHENTICATION).isPresent());
    }
  }

  @Test
  void appliesLimitAndKeyOfTheCaller() {
    Policy byUser = Policy.builder("rule").limit(1).window(Duration.ofDays(1)).by(By.USER).build();
    source.after.add(AppliedPolicy.of(byUser).withLimit(5));
    source.after.add(AppliedPolicy.of(policy("own", 1)).withKey(Key.of("digest")));
    GuardedRequest request = enter("free");
    request.decide(AFTER_AUTHENTICATION);
    assertEquals(5, request.decision().parts().get(0).limit());
    assertEquals(Key.user("alice"), request.decision().parts().get(0).key());
    assertEquals(Key.of("digest"), request.decision().parts().get(1).key());
    assertThrows(IllegalArgumentException.class, () -> AppliedPolicy.of(byUser).withLimit(0));
    assertThrows(IllegalArgumentException.class, () -> AppliedPolicy.of(byUser).withPermits(0));
  }

  @Test
  void isToldTheTierThatIsAskedForOnceAPhase() {
    weir.close();
    source.asked.clear();
    int[] tiers = new int[1];
    open(
        Map.of(),
        new TierResolver() {
          @Override
          public CallerTier resolve(RequestInfo request, Policy policy) {
            return none();
          }

          @Override
          public CallerTier tier(RequestInfo request) {
            tiers[0]++;
            return CallerTier.named("gold");
          }
        });
    GuardedRequest request = enter("buy");
    request.decide(BEFORE_AUTHENTICATION);
    request.decide(AFTER_AUTHENTICATION);
    assertEquals(
        List.of("GET /shop gold BEFORE_AUTHENTICATION", "GET /shop gold AFTER_AUTHENTICATION"),
        source.asked);
    assertEquals(2, tiers[0]);
  }

  @Test
  void anAsynchronousDecisionWaitsForTheStageWithoutAThread() throws Exception {
    weir.close();
    open(Map.of("weir.store.timeout", "10s"), (request, policy) -> none());
    CompletableFuture<AppliedPolicies> later = new CompletableFuture<>();
    source.other = Optional.of(later);
    CompletableFuture<Optional<Refusal>> refusal =
        enter("buy").decideAsync(BEFORE_AUTHENTICATION, Runnable::run).toCompletableFuture();
    assertFalse(refusal.isDone());
    later.complete(AppliedPolicies.of(List.of(AppliedPolicy.of(policy("rule", 1)).withPermits(2))));
    assertEquals(429, refusal.get(120, TimeUnit.SECONDS).orElseThrow().status());
  }

  @Test
  void whereTheSourceIsLateTheAnnotationsDecideAndTheDecisionIsDegraded() throws Exception {
    source.other = Optional.of(new CompletableFuture<>());
    try (LogLines log = new LogLines()) {
      GuardedRequest blocking = enter("buy");
      assertEquals(Optional.empty(), blocking.decide(BEFORE_AUTHENTICATION));
      assertEquals(List.of("annotated"), names(blocking.decision()));
      assertTrue(blocking.decision().degraded());
      GuardedRequest asynchronous = enter("buy");
      asynchronous
          .decideAsync(BEFORE_AUTHENTICATION, Runnable::run)
          .toCompletableFuture()
          .get(120, TimeUnit.SECONDS);
      assertTrue(asynchronous.decision().degraded());
      assertEquals(1, log.containing("the PolicySource failed").size(), "logged once");
      asynchronous.refused();
      blocking.refused();
    }
    source.other = Optional.empty();
    GuardedRequest next = enter("buy");
    next.decide(BEFORE_AUTHENTICATION);
    assertEquals(2, next.decision().remaining(), "both were refunded");
    assertFalse(next.decision().degraded());
  }

  @Test
  void theTimeThatItTookIsTakenFromThatOfTheStore() throws Exception {
    SafePolicySource safe = new SafePolicySource(source, Duration.ofMillis(100), ticker, timer);
    DecisionHistory history = new DecisionHistory(weir.limiter()::refund);
    safe.await(alice(), none(), BEFORE_AUTHENTICATION, List.of(), history);
    assertEquals(0, history.takeWaited(), "it answered at once");
    source.other = Optional.of(new Slow());
    safe.await(alice(), none(), BEFORE_AUTHENTICATION, List.of(), history);
    assertEquals(20_000_000, history.waited());
    assertEquals(20_000_000, history.takeWaited());
    assertEquals(0, history.takeWaited(), "the next phase begins anew");
    CompletionStage<Boolean> later =
        safe.askAsync(
            alice(),
            none(),
            BEFORE_AUTHENTICATION,
            List.of(),
            history,
            Runnable::run,
            answer -> CompletableFuture.completedStage(history.waited() == 20_000_000));
    assertTrue(later.toCompletableFuture().get(120, TimeUnit.SECONDS));
  }

  @Test
  void aSourceThatTakesItsTimeLeavesHalfOfItToTheStore() {
    PolicySource patient =
        new PolicySource() {
          @Override
          public CompletionStage<AppliedPolicies> policies(
              RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
            return new Slow();
          }

          @Override
          public Optional<Duration> timeout() {
            return Optional.of(Duration.ofMillis(100));
          }
        };
    SafePolicySource safe = new SafePolicySource(patient, Duration.ofMillis(30), ticker, timer);
    DecisionHistory history = new DecisionHistory(weir.limiter()::refund);
    safe.await(alice(), none(), BEFORE_AUTHENTICATION, List.of(), history);
    assertEquals(15_000_000, history.takeWaited());
  }

  /** While it is waited for, time passes. */
  private final class Slow extends CompletableFuture<AppliedPolicies> {
    @Override
    public CompletableFuture<AppliedPolicies> whenComplete(
        BiConsumer<? super AppliedPolicies, ? super Throwable> action) {
      ticker.advance(Duration.ofMillis(20));
      return super.whenComplete(action);
    }
  }

  @Test
  void aSourceThatFailsLimitsNobody() {
    for (CompletionStage<AppliedPolicies> broken :
        List.<CompletionStage<AppliedPolicies>>of(
            CompletableFuture.failedStage(new IllegalStateException("on purpose")),
            CompletableFuture.completedStage(null))) {
      source.other = Optional.of(broken);
      GuardedRequest request = enter("free");
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
      assertFalse(request.isDecided());
    }
  }

  @Test
  void onePolicyThatCantBeUsedIsLeftOutAlone() {
    Policy unreadable =
        Policy.builder("odd").limit(1).window(Duration.ofDays(1)).by(By.KEY).keys("nobody").build();
    source.before.add(AppliedPolicy.of(unreadable));
    source.before.add(AppliedPolicy.of(policy("rule", 10)));
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 3; i++) {
        GuardedRequest request = enter("free");
        assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
        assertEquals(List.of("rule"), names(request.decision()));
      }
      assertEquals(1, log.containing("The policy odd of the PolicySource").size());
      source.changed.run();
      enter("free").decide(BEFORE_AUTHENTICATION);
      assertEquals(2, log.containing("The policy odd of the PolicySource").size(), "it is new");
    }
  }

  @Test
  void aCallWithoutAResponseAsksForBothPhases() {
    source.before.add(AppliedPolicy.of(policy("before", 10)));
    source.after.add(AppliedPolicy.of(policy("after", 1)));
    GuardedRequest call = enter("buy");
    call.admit();
    assertEquals(List.of("annotated", "before", "after"), names(call.decision()));
    assertThrows(RateLimitExceededException.class, () -> enter("buy").admit());
  }

  @Test
  void itsPoliciesReadCostAndConditionFromTheRequestToo() {
    weir.close();
    weir =
        new DefaultWeirBuilder()
            .ticker(ticker)
            .policySource(source)
            .costResolver("spend", request -> OptionalLong.of(7))
            .requestCondition("risky", request -> request.query("risky").isPresent())
            .build();
    PolicyBuilder rule = Policy.builder("rule").limit(100).window(Duration.ofMinutes(1));
    AppliedPolicy amount = AppliedPolicy.of(rule.costFrom("query:amount").build());
    source.before.add(amount);
    GuardedRequest paid = endpoint("free").enter(alice().query("amount", "30"));
    paid.decide(BEFORE_AUTHENTICATION);
    assertEquals(30, paid.decision().permits());
    for (String wrong : List.of("-1", "101")) {
      GuardedRequest request = endpoint("free").enter(alice().query("amount", wrong));
      int status = wrong.equals("-1") ? 400 : 429;
      assertEquals(status, request.decide(BEFORE_AUTHENTICATION).orElseThrow().status());
    }
    GuardedRequest tier = endpoint("free").enter(alice().query("amount", "101"));
    source.before.set(0, amount.withLimit(500));
    tier.decide(BEFORE_AUTHENTICATION);
    assertEquals(101, tier.decision().permits());
    source.before.set(0, amount.withLimit(500).withPermits(2));
    assertEquals(2, decided(alice()).permits(), "what the source says goes first");
    PolicyBuilder other = Policy.builder("other").limit(100).window(Duration.ofMinutes(1));
    source.before.set(0, AppliedPolicy.of(other.costFrom("spend").when("risky").build()));
    assertFalse(entered(alice()).isDecided());
    assertEquals(7, decided(alice().query("risky", "")).permits());
    source.before.set(0, AppliedPolicy.of(other.when("unknown").build()));
    assertFalse(entered(alice()).isDecided(), "it can't be used");
  }

  private GuardedRequest entered(FakeRequest request) {
    GuardedRequest entered = endpoint("free").enter(request);
    assertEquals(Optional.empty(), entered.decide(BEFORE_AUTHENTICATION));
    return entered;
  }

  private Decision decided(FakeRequest request) {
    return entered(request).decision();
  }

  @Test
  void isStartedWithTheSettingsAndClosedWithItsWeir() {
    assertEquals("ietf", source.setting);
    weir.close();
    assertTrue(source.closed);
  }

  @Test
  void switchedOffNobodyIsAsked() {
    weir.close();
    open(Map.of("weir.enabled", "false"), (request, policy) -> none());
    source.asked.clear();
    GuardedRequest request = enter("free");
    request.decide(BEFORE_AUTHENTICATION);
    request.admit();
    assertEquals(List.of(), source.asked);
  }

  @Test
  void switchedOffCallsOfTheLimiterAreDecidedAllTheSame() {
    weir.close();
    open(Map.of("weir.enabled", "false"), (request, policy) -> none());
    Policy mails = policy("mails", 1);
    assertTrue(weir.limiter().tryAcquire(mails, Key.user("alice")).admitted());
    assertFalse(weir.limiter().tryAcquire(mails, Key.user("alice")).admitted());
    source.after.add(AppliedPolicy.of(mails).withLimit(5));
    assertEquals(3, weir.limiter().tryAcquire(mails, Key.user("alice")).remaining());
  }

  @Test
  void aResetFillsTheBucketUnderTheLimitOfTheSource() {
    weir.close();
    open(Map.of(), (request, policy) -> none());
    Policy mails = policy("mails", 1);
    source.after.add(AppliedPolicy.of(mails).withLimit(2));
    Key alice = Key.user("alice");
    assertTrue(weir.limiter().tryAcquire(mails, alice, 2).admitted());
    assertFalse(weir.limiter().tryAcquire(mails, alice).admitted());
    weir.limiter().reset(mails, alice).toCompletableFuture().join();
    assertTrue(weir.limiter().tryAcquire(mails, alice, 2).admitted());
  }

  @Test
  void aResetReachesTheBucketOfAnotherBurstAndThePolicysOwn() {
    weir.close();
    open(Map.of(), (request, policy) -> none());
    Policy mails = bursts(2);
    Key alice = Key.user("alice");
    assertTrue(weir.limiter().tryAcquire(mails, alice, 2).admitted());
    source.after.add(AppliedPolicy.of(bursts(3)));
    assertTrue(weir.limiter().tryAcquire(mails, alice, 3).admitted());
    assertFalse(weir.limiter().tryAcquire(mails, alice).admitted());
    weir.limiter().reset(mails, alice).toCompletableFuture().join();
    assertTrue(weir.limiter().tryAcquire(mails, alice, 3).admitted());
    source.after.clear();
    assertTrue(weir.limiter().tryAcquire(mails, alice, 2).admitted());
  }

  private static Policy bursts(long burst) {
    return Policy.builder("mails")
        .limit(1)
        .window(Duration.ofHours(1))
        .algorithm(Algorithm.TOKEN_BUCKET)
        .burst(burst)
        .build();
  }
}
