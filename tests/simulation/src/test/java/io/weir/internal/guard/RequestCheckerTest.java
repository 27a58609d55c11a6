package io.weir.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.CheckResult;
import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.Priority;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that are asked about and served elsewhere. */
class RequestCheckerTest {
  private final FakeTicker ticker = new FakeTicker();
  private final Rules rules = new Rules();
  private WeirRuntime weir = open(Map.of());

  static class Shop {
    @RateLimit(limit = 3, window = 60, name = "annotated")
    public void buy() {}
  }

  /** Two policies, one for each phase; what a request pays, and what was reported in the end. */
  private static final class Rules implements PolicySource {
    private final List<Decision> completed = new ArrayList<>();
    private final List<String> completedEndpoints = new ArrayList<>();
    private Map<String, List<AppliedPolicy>> byEndpoint = Map.of();
    private AppliedPolicies before = AppliedPolicies.none();
    private AppliedPolicies after = AppliedPolicies.none();
    private CompletableFuture<Void> ready = CompletableFuture.completedFuture(null);

    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
      List<AppliedPolicy> here = byEndpoint.get(request.endpoint());
      if (here != null && phase == DecisionPhase.AFTER_AUTHENTICATION) {
        return CompletableFuture.completedFuture(AppliedPolicies.of(here));
      }
      AppliedPolicies known = phase == DecisionPhase.BEFORE_AUTHENTICATION ? before : after;
      return ready.thenApply(unused -> known);
    }

    @Override
    public void completed(RequestInfo request, Decision decision) {
      completed.add(decision);
      completedEndpoints.add(request.endpoint());
    }
  }

  private WeirRuntime open(Map<String, String> settings) {
    return new DefaultWeirBuilder().ticker(ticker).settings(settings).policySource(rules).build();
  }

  private static AppliedPolicy policy(String name, By by, int limit) {
    return AppliedPolicy.of(
        Policy.builder(name).limit(limit).window(Duration.ofMinutes(1)).by(by).build());
  }

  @AfterEach
  void close() {
    weir.close();
  }

  @Test
  void theAddressOfACallerIsTheOneThatPoliciesCount() {
    FakeRequest behindProxy =
        FakeRequest.from("10.0.0.1").header("X-Forwarded-For", "2001:DB8:0::1");
    assertEquals(Optional.of("10.0.0.1"), weir.checker().address(behindProxy));
    weir.close();
    weir = open(Map.of("weir.proxy.trusted", "10.0.0.0/8"));
    assertEquals(Optional.of("2001:db8::/64"), weir.checker().address(behindProxy));
    assertEquals(Optional.empty(), weir.checker().address(FakeRequest.outsideHttp()));
  }

  private static FakeRequest alice() {
    return FakeRequest.from("192.0.2.1").user("alice").endpoint("/api/posts");
  }

  private Optional<Decision> check(RequestInfo request) {
    return result(request).decision();
  }

  private CheckResult result(RequestInfo request) {
    return weir.checker().check(request).toCompletableFuture().join();
  }

  private List<Optional<Decision>> together(RequestInfo... requests) {
    return results(requests).stream().map(CheckResult::decision).toList();
  }

  private List<CheckResult> results(RequestInfo... requests) {
    return weir.checker().checkTogether(List.of(requests)).toCompletableFuture().join();
  }

  @Test
  void whatNothingLimitsHasNoDecision() {
    CheckResult nothing = new CheckResult(Optional.empty(), false);
    assertEquals(nothing, result(alice()));
    assertEquals(nothing, weir.checker().peek(alice()));
    assertEquals(List.of(nothing), results(alice()));
    assertTrue(nothing.admitted());
    assertEquals(List.of(), rules.completed);
  }

  @Test
  void bothPhasesAreDecidedAtOnce() {
    rules.before = AppliedPolicies.of(List.of(policy("all", By.IP, 10)));
    rules.after = AppliedPolicies.of(List.of(policy("each", By.USER, 2)));

    List<Boolean> admitted =
        IntStream.range(0, 3).mapToObj(i -> check(alice()).orElseThrow().admitted()).toList();

    assertEquals(List.of(true, true, false), admitted);
    Decision bob = check(alice().user("bob")).orElseThrow();
    assertEquals(List.of(7L, 1L), bob.parts().stream().map(Decision::remaining).toList());
  }

  /** A request that can be read in two ways. */
  private static RequestInfo twoReadings(String first, String second) {
    return alice(first).otherReadings(alice(second));
  }

  private static FakeRequest alice(String endpoint) {
    return alice().endpoint(endpoint);
  }

  @Test
  void allReadingsOfARequestMustAdmitAndABucketIsAskedOnce() {
    AppliedPolicy shared = policy("shared", By.USER, 9);
    rules.byEndpoint =
        Map.of(
            "/kept", List.of(policy("kept", By.USER, 2), shared.withPermits(3)),
            "/resolved", List.of(policy("resolved", By.USER, 1), shared.withLimit(5)));

    Decision both = check(twoReadings("/kept", "/resolved")).orElseThrow();
    assertEquals(
        List.of("kept 1", "shared 2", "resolved 0"),
        both.parts().stream().map(each -> each.policy().name() + " " + each.remaining()).toList());

    assertFalse(check(twoReadings("/kept", "/resolved")).orElseThrow().admitted());
    assertFalse(check(twoReadings("/none", "/resolved")).orElseThrow().admitted());
    assertEquals(Optional.empty(), check(twoReadings("/none", "/other")));
    assertTrue(check(alice("/kept")).orElseThrow().admitted(), "a refusal has charged nothing");
    assertEquals(List.of(false), admitted(together(twoReadings("/none", "/resolved"))));
    assertFalse(weir.checker().peek(twoReadings("/none", "/resolved")).admitted());
  }

  private static List<Boolean> admitted(List<Optional<Decision>> decisions) {
    return decisions.stream().map(each -> each.orElseThrow().admitted()).toList();
  }

  @Test
  void policiesOfPathsHoldInEachReading() {
    weir.close();
    weir =
        open(
            Map.of(
                "weir.policy.login.url", "/login",
                "weir.policy.login.limit", "1",
                "weir.policy.login.window", "60"));
    assertTrue(check(twoReadings("/x", "/login")).orElseThrow().admitted());
    assertFalse(check(alice("/login")).orElseThrow().admitted());
    assertFalse(check(twoReadings("/x", "/login")).orElseThrow().admitted());
  }

  /** Otherwise a spelling with one reading under a wide rule would leave the default behind. */
  @Test
  void theDefaultHoldsForEachReadingWithoutAPolicy() {
    weir.close();
    weir = open(Map.of("weir.default.limit", "2", "weir.default.window", "60"));
    rules.byEndpoint = Map.of("/static/x", List.of(policy("wide", By.USER, 100)));
    RequestInfo request = twoReadings("/static/x", "/static%2Fx");
    assertTrue(check(request).orElseThrow().admitted());
    assertTrue(check(alice("/plain")).orElseThrow().admitted());
    assertFalse(check(request).orElseThrow().admitted());
    assertTrue(check(alice("/static/x")).orElseThrow().admitted());
    assertFalse(check(twoReadings("/none", "/other")).orElseThrow().admitted());
  }

  @Test
  void aReadingThatCannotBeDecidedLeavesTheOthersInForce() {
    rules.byEndpoint = Map.of("/resolved", List.of(policy("resolved", By.USER, 1)));
    RequestInfo broken = alice(null); // which fails where its endpoint is looked up
    RequestInfo request = alice("/kept").otherReadings(broken, alice("/resolved"));
    assertTrue(check(request).orElseThrow().admitted());
    assertFalse(check(request).orElseThrow().admitted());
  }

  @Test
  void theSourceIsToldWhatTheFirstLimitedReadingIsFor() {
    rules.byEndpoint = Map.of("/resolved", List.of(policy("resolved", By.USER, 1)));
    check(twoReadings("/none", "/resolved"));
    assertEquals(List.of("/resolved"), rules.completedEndpoints);
  }

  @Test
  void theSourceIsToldOnceOfEachRequest() {
    rules.after = AppliedPolicies.of(List.of(policy("each", By.USER, 1)));

    check(alice());
    check(alice());
    weir.checker().peek(alice());

    assertEquals(List.of(true, false), rules.completed.stream().map(Decision::admitted).toList());
  }

  @Test
  void aPeekCountsNothing() {
    rules.before = AppliedPolicies.of(List.of(policy("all", By.IP, 10)));
    rules.after = AppliedPolicies.of(List.of(policy("each", By.USER, 2)));

    Decision peeked = weir.checker().peek(alice()).decision().orElseThrow();

    assertEquals(List.of(10L, 2L), peeked.parts().stream().map(Decision::remaining).toList());
    assertEquals(1, check(alice()).orElseThrow().remaining());
  }

  @Test
  void theCostThatIsSentReplacesEveryOther() {
    rules.after = AppliedPolicies.of(List.of(policy("each", By.USER, 10).withPermits(5)));

    assertEquals(5, check(alice()).orElseThrow().remaining());
    assertEquals(3, check(alice().cost(2)).orElseThrow().remaining());
    assertFalse(check(alice().cost(4)).orElseThrow().admitted());
  }

  @Test
  void theLoadThatIsSentDecides() {
    Policy low =
        Policy.builder("low")
            .limit(10)
            .window(Duration.ofMinutes(1))
            .priority(Priority.LOW)
            .build();
    rules.after = AppliedPolicies.of(List.of(AppliedPolicy.of(low)));

    assertFalse(check(alice().load(0.9)).orElseThrow().admitted());
    assertTrue(check(alice().load(0.1)).orElseThrow().admitted());
    assertTrue(check(alice()).orElseThrow().admitted());
    assertFalse(together(alice().load(0.9)).get(0).orElseThrow().admitted());
  }

  @Test
  void anAnnotatedPolicyIsAskedByItsName() throws Exception {
    GuardedEndpoint served =
        weir.endpoint(Shop.class, Shop.class.getMethod("buy"), EndpointType.METHOD);
    served.enter(alice()).decide(DecisionPhase.BEFORE_AUTHENTICATION);

    Decision asked = check(alice().endpoint("policy:annotated")).orElseThrow();

    assertEquals(1, asked.remaining());
    assertEquals(Optional.empty(), check(alice().endpoint("policy:unknown")));
  }

  @Test
  void settingsLimitThePathThatIsAskedAbout() {
    weir.close();
    weir =
        open(
            Map.of(
                "weir.policy.api.url", "/api/*",
                "weir.policy.api.limit", "1",
                "weir.policy.api.window", "60s"));

    assertTrue(check(alice()).orElseThrow().admitted());
    assertFalse(check(alice()).orElseThrow().admitted());
    assertEquals(Optional.empty(), check(alice().endpoint("/other")));
  }

  @Test
  void withoutASourceTheTierThatIsSentHolds() throws Exception {
    weir.close();
    weir =
        new DefaultWeirBuilder()
            .ticker(ticker)
            .settings(
                Map.of(
                    "weir.policy.api.url", "/api/*",
                    "weir.policy.api.limit", "1",
                    "weir.policy.api.window", "60s",
                    "weir.policy.api.tier.gold", "5"))
            .build();

    assertEquals(4, check(alice().tier("gold")).orElseThrow().remaining());
  }

  @Test
  void severalTakeTheSumOrNothing() {
    rules.after = AppliedPolicies.of(List.of(policy("each", By.USER, 3)));

    List<Optional<Decision>> both = together(alice(), alice());
    assertEquals(List.of(1L, 1L), both.stream().map(each -> each.orElseThrow().permits()).toList());

    assertFalse(together(alice(), alice()).get(0).orElseThrow().admitted());
    assertEquals(0, check(alice()).orElseThrow().remaining());
  }

  @Test
  void oneThatIsRefusedLeavesTheOthersUncharged() {
    rules.after = AppliedPolicies.of(List.of(policy("each", By.USER, 3)));
    check(alice().cost(3));

    List<Optional<Decision>> both = together(alice(), alice().user("bob"));

    assertFalse(both.get(0).orElseThrow().admitted());
    assertEquals(0, both.get(1).orElseThrow().permits());
    assertEquals(2, check(alice().user("bob")).orElseThrow().remaining());
  }

  @Test
  void whatTheSourceRefusesChargesNothing() {
    AppliedPolicy known = policy("each", By.USER, 3);
    rules.before = AppliedPolicies.of(List.of(AppliedPolicy.unavailable(known.policy())));
    rules.after = AppliedPolicies.of(List.of(policy("other", By.USER, 3)));

    assertEquals(Reason.STORE_UNAVAILABLE, check(alice()).orElseThrow().reason());
    assertEquals(
        Reason.STORE_UNAVAILABLE, weir.checker().peek(alice()).decision().orElseThrow().reason());
    assertFalse(together(alice()).get(0).orElseThrow().admitted());

    rules.before = AppliedPolicies.none();
    assertEquals(2, check(alice()).orElseThrow().remaining());
  }

  @Test
  void aSourceThatAnswersLaterIsWaitedForByNobody() {
    rules.after = AppliedPolicies.of(List.of(policy("each", By.USER, 3)));
    rules.ready = new CompletableFuture<>();

    CompletableFuture<CheckResult> answer = weir.checker().check(alice()).toCompletableFuture();
    assertFalse(answer.isDone());
    rules.ready.complete(null);

    assertEquals(2, answer.join().decision().orElseThrow().remaining());
  }

  @Test
  void aSourceThatNeverAnswersDegradesTheDecision() throws Exception {
    weir.endpoint(Shop.class, Shop.class.getMethod("buy"), EndpointType.METHOD);
    rules.ready = new CompletableFuture<>();

    Decision alone = check(alice().endpoint("policy:annotated")).orElseThrow();

    assertTrue(alone.degraded());
    assertTrue(alone.admitted());
    assertTrue(result(alice().endpoint("policy:annotated")).degraded());
  }

  @Test
  void whileTheSourceIsLateNoPolicyDoesNotMeanThatNoneLimitsTheRequest() {
    rules.ready = new CompletableFuture<>();
    CheckResult unknown = new CheckResult(Optional.empty(), true);

    assertEquals(unknown, result(alice()));
    assertEquals(unknown, result(twoReadings("/one", "/two")));
    assertEquals(List.of(unknown, unknown), results(alice(), alice().user("bob")));
    assertEquals(unknown, weir.checker().peek(alice()));

    rules.ready.complete(null);
    assertEquals(new CheckResult(Optional.empty(), false), result(alice()));
  }

  @Test
  void aRequestThatCannotBeReadIsAdmittedWithoutClaimingThatNoPolicyLimitsIt() {
    FakeRequest known = alice();
    RequestInfo unreadable =
        (RequestInfo)
            Proxy.newProxyInstance(
                RequestInfo.class.getClassLoader(),
                new Class<?>[] {RequestInfo.class},
                (proxy, method, args) -> {
                  if (method.getName().equals("endpoint")) {
                    throw new IllegalStateException("can't be read");
                  }
                  return method.invoke(known, args);
                });
    CheckResult unknown = new CheckResult(Optional.empty(), true);

    assertEquals(unknown, result(unreadable));
  }

  @Test
  void aRequestThatAPolicyCannotCountIsSaidToBeInvalid() {
    Policy byCost =
        Policy.builder("cost")
            .limit(10)
            .window(Duration.ofMinutes(1))
            .costFrom("query:amount")
            .build();
    rules.after = AppliedPolicies.of(List.of(AppliedPolicy.of(byCost)));

    CompletionException failed = assertThrows(CompletionException.class, () -> check(alice()));
    assertInstanceOf(InvalidRequestException.class, failed.getCause());
    assertThrows(InvalidRequestException.class, () -> weir.checker().peek(alice()));
    assertThrows(CompletionException.class, () -> together(alice()));
    assertTrue(check(alice().cost(1)).orElseThrow().admitted());
  }

  @Test
  void aWeirThatIsSwitchedOffLimitsNothing() {
    weir.close();
    rules.after = AppliedPolicies.of(List.of(policy("each", By.USER, 3)));
    weir = open(Map.of("weir.enabled", "false"));

    assertEquals(Optional.empty(), check(alice()));
    assertEquals(List.of(Optional.empty()), together(alice()));
  }
}
