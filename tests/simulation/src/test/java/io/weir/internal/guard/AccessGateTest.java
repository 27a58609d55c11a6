package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.CheckResult;
import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.RateLimitExceededException;
import io.weir.Reason;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.adapter.EndpointType;
import io.weir.adapter.Refusal;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.metrics.DecisionCounts;
import io.weir.spi.AccessListSource;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Access lists decide requests before any policy does. */
class AccessGateTest {
  private static final String ADDRESS = "192.0.2.1";
  private static final String KEY = "s3cr3t";

  private final FakeTicker ticker = new FakeTicker();
  private final DecisionCounts counts = new DecisionCounts();
  private final Map<String, String> live = new HashMap<>();
  private final Source source = new Source();
  private final AtomicInteger resolved = new AtomicInteger();
  private WeirRuntime weir;

  static class Shop {
    @RateLimit(limit = 1, window = 60, name = "early")
    @RateLimit(limit = 5, window = 60, by = By.USER, name = "late")
    public void buy() {}

    @RateLimit(limit = 1, window = 60, name = "only")
    public void look() {}

    @Unlimited
    public void free() {}
  }

  /** Gives what a test has it give. */
  private static final class Source implements PolicySource, AccessListSource {
    private Consumer<List<AccessEntry>> listener = entries -> {};
    private List<AppliedPolicy> policies = List.of();

    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
      return CompletableFuture.completedFuture(
          policies.isEmpty() ? AppliedPolicies.noneInAnyPhase() : AppliedPolicies.of(policies));
    }

    @Override
    public Optional<AccessListSource> accessList() {
      return Optional.of(this);
    }

    @Override
    public void follow(Consumer<List<AccessEntry>> told) {
      listener = told;
    }
  }

  private DefaultWeirBuilder builder() {
    return new DefaultWeirBuilder()
        .ticker(ticker)
        .metrics(counts)
        .keyResolver("tenant", request -> request.headers("Tenant").stream().findFirst())
        .keyResolver("shop", request -> request.path("shop"))
        .keyResolver("place", request -> Optional.of(request.endpoint()))
        .keyResolver(
            "team",
            request -> {
              resolved.incrementAndGet();
              return request.user().map(name -> "team of " + name);
            });
  }

  private void open(String... settings) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    weir = builder().onlyGivenSettings().settings(all).build();
  }

  private void openWithSource() {
    weir = builder().settings(Map.of("weir.access.key", "header:Key")).policySource(source).build();
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

  private static FakeRequest request() {
    return FakeRequest.from(ADDRESS)
        .user("alice")
        .endpoint("/shop")
        .header("Key", KEY)
        .header("Tenant", "acme");
  }

  private GuardedRequest enter(String method) {
    return endpoint(method).enter(request());
  }

  private long decisions(String policy) {
    return counts.of(policy).outcomes().values().stream().mapToLong(each -> each).sum();
  }

  private static void assertForbidden(Optional<Refusal> refusal) {
    assertEquals(403, refusal.orElseThrow().status());
    assertEquals(List.of(), refusal.get().headers());
    assertFalse(refusal.get().text().contains("scraper"), "the reason is for operators");
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.0/24", "::ffff:192.0.2.1", "key:KEY", "resolver:tenant:acme"})
  void whatNeedsNoUserIsDeniedBeforeTheSignInOnEveryEndpoint(String subject) {
    String text = subject.replace("key:KEY", AccessSubject.keyOf(KEY).toString());
    open("weir.access.deny", text, "weir.access.key", "header:Key");
    for (String each : List.of("buy", "look", "free")) {
      GuardedRequest request = enter(each);
      assertForbidden(request.decide(BEFORE_AUTHENTICATION));
      assertEquals(Reason.DENIED, request.decision().reason());
      assertTrue(request.decision().neverAdmitted());
      assertEquals(List.of(), request.headers());
    }
    assertEquals(3, counts.of("access-list").outcomes().get(Outcome.REFUSED));
    assertEquals(0, decisions("early"), "nothing was charged");
  }

  @Test
  void aUserIsDeniedOnceItIsKnownAndChargesAreRefunded() {
    open("weir.access.deny", "user:alice");
    for (int i = 0; i < 3; i++) { // the limit before the sign-in is one
      GuardedRequest request = enter("buy");
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
      assertForbidden(request.decide(AFTER_AUTHENTICATION));
      request.refused();
    }
    GuardedRequest free = enter("free");
    assertEquals(Optional.empty(), free.decide(BEFORE_AUTHENTICATION));
    assertForbidden(free.decide(AFTER_AUTHENTICATION));
  }

  @Test
  void aResolverThatReadsTheUserIsAskedAgainAfterTheSignIn() {
    open("weir.access.deny", "resolver:team:team of alice");
    GuardedRequest request = enter("look");
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertForbidden(request.decide(AFTER_AUTHENTICATION));
    assertEquals(2, resolved.get());
  }

  @Test
  void whatOnlyAResourceKnowsIsReadThereThoughAFilterHasDecidedBefore() {
    open("weir.access.deny", "resolver:shop:evil");
    GuardedRequest request = endpoint("free").enter(request());
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    request.moveTo(endpoint("look"), request().path("shop", "evil"));
    assertForbidden(request.decide(BEFORE_AUTHENTICATION));
  }

  @Test
  void aDeniedAddressStaysDeniedWhateverItSendsAsItsKey() {
    String entries = ADDRESS + ", " + AccessSubject.keyOf(KEY);
    open("weir.access.deny", entries, "weir.access.key", "header:X-Long");
    FakeRequest unreadable = request().header("X-Long", "k".repeat(9_000));
    assertForbidden(endpoint("free").enter(unreadable).decide(BEFORE_AUTHENTICATION));
    CheckResult checked = weir.checker().check(unreadable).toCompletableFuture().join();
    assertEquals(Reason.DENIED, checked.decision().orElseThrow().reason());
  }

  @Test
  void anAsynchronousRequestIsDeniedToo() {
    open("weir.access.deny", ADDRESS);
    assertForbidden(
        enter("free")
            .decideAsync(BEFORE_AUTHENTICATION, Runnable::run)
            .toCompletableFuture()
            .join());
  }

  @Test
  void aCallWithinARequestIsDeniedAndTheAnswerIs403() {
    open("weir.access.deny", "user:alice");
    GuardedRequest around = enter("free");
    assertEquals(Optional.empty(), around.decide(BEFORE_AUTHENTICATION));
    GuardedEndpoint called = endpoint("look");
    RateLimitExceededException sync =
        assertThrows(
            RateLimitExceededException.class,
            () -> called.enterCall("Shop#look", List.of(), new Object[0], around).admit());
    assertTrue(sync.getMessage().contains("access-list, which denies this caller"));
    assertForbidden(around.refusalIn(sync));
    assertTrue(
        called
            .enterCall("Shop#look", List.of(), new Object[0], around)
            .admitAsync(Runnable::run)
            .toCompletableFuture()
            .isCompletedExceptionally());
  }

  @Test
  void callsOfAnAllowedRequestAreLetThrough() {
    open("weir.access.allow", ADDRESS);
    GuardedRequest around = enter("free");
    assertEquals(Optional.empty(), around.decide(BEFORE_AUTHENTICATION));
    for (int i = 0; i < 3; i++) {
      endpoint("look").enterCall("Shop#look", List.of(), new Object[0], around).admit();
    }
    assertEquals(1, counts.of("access-list").outcomes().get(Outcome.ADMITTED));
  }

  @Test
  void anAllowedAddressIsNeitherRefusedNorCountedNorToldALimit() {
    open("weir.access.allow", "192.0.2.0/24");
    for (int i = 0; i < 5; i++) {
      GuardedRequest request = enter("buy");
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
      assertEquals(Optional.empty(), request.decide(AFTER_AUTHENTICATION));
      assertEquals(List.of(), request.headers());
    }
    assertEquals(0, decisions("early"));
    assertEquals(5, counts.of("access-list").outcomes().get(Outcome.ADMITTED));
  }

  @Test
  void anAllowedUserIsStillRefusedByWhatIsDecidedBeforeTheSignIn() {
    open("weir.access.allow", "user:alice");
    GuardedRequest first = enter("buy");
    assertEquals(Optional.empty(), first.decide(BEFORE_AUTHENTICATION));
    assertEquals(Optional.empty(), first.decide(AFTER_AUTHENTICATION));
    assertEquals(0, decisions("late"), "let through uncounted");
    assertEquals(429, enter("buy").decide(BEFORE_AUTHENTICATION).orElseThrow().status());
  }

  @Test
  void aDeniedUserOrKeyStaysDeniedAtAnAllowedAddress() {
    open(
        "weir.access.allow",
        ADDRESS,
        "weir.access.deny",
        "user:alice",
        "weir.access.key",
        "header:Key");
    GuardedRequest request = enter("free");
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertForbidden(request.decide(AFTER_AUTHENTICATION));
  }

  @Test
  void aCountedCallerIsMeasuredByPoliciesAndNotRefused() {
    openWithSource();
    Policy rule = Policy.builder("rule").limit(9).window(Duration.ofMinutes(1)).build();
    source.policies =
        List.of(AppliedPolicy.blocked(rule, Instant.EPOCH.plus(Duration.ofDays(40_000))));
    source.listener.accept(List.of(AccessEntry.allow(AccessSubject.address(ADDRESS)).counted()));
    for (int i = 0; i < 3; i++) {
      GuardedRequest request = enter("look");
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
      assertEquals(Optional.empty(), request.decide(AFTER_AUTHENTICATION));
    }
    assertEquals(1, counts.of("only").outcomes().get(Outcome.ADMITTED));
    assertEquals(2, counts.of("only").outcomes().get(Outcome.SHADOW_REFUSED));
    assertEquals(3, counts.of("rule").outcomes().get(Outcome.SHADOW_REFUSED));
    source.listener.accept(List.of());
    assertEquals(429, enter("look").decide(BEFORE_AUTHENTICATION).orElseThrow().status());
  }

  @Test
  void anEntryInShadowModeIsMeasuredOnceARequestAndChangesNothing() {
    openWithSource();
    source.listener.accept(
        List.of(
            AccessEntry.deny(AccessSubject.address(ADDRESS)).inShadow().withReason("scraper"),
            AccessEntry.allow(AccessSubject.user("alice")).inShadow()));
    GuardedRequest request = enter("look");
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertEquals(Optional.empty(), request.decide(AFTER_AUTHENTICATION));
    assertEquals(List.of("only"), names(request.decision()));
    assertEquals(1, counts.of("access-list").outcomes().get(Outcome.SHADOW_REFUSED));
    assertEquals(429, enter("look").decide(BEFORE_AUTHENTICATION).orElseThrow().status());
  }

  private static List<String> names(Decision decision) {
    return decision.parts().stream().map(each -> each.policy().name()).toList();
  }

  @Test
  void aSourceWithoutPoliciesStillDeniesUsersAndAnEntryEndsInTime() {
    openWithSource();
    Instant end = Instant.EPOCH.plus(ticker.epochMicros(), ChronoUnit.MICROS).plusSeconds(60);
    source.listener.accept(
        List.of(AccessEntry.deny(AccessSubject.user("alice")).withReason("scraper").until(end)));
    GuardedRequest denied = enter("free");
    assertEquals(Optional.empty(), denied.decide(BEFORE_AUTHENTICATION));
    assertForbidden(denied.decide(AFTER_AUTHENTICATION));
    ticker.advance(Duration.ofSeconds(60));
    GuardedRequest later = enter("free");
    assertEquals(Optional.empty(), later.decide(BEFORE_AUTHENTICATION));
    assertEquals(Optional.empty(), later.decide(AFTER_AUTHENTICATION));
  }

  @Test
  void settingsAreFollowedWhileItRuns() {
    weir = builder().liveSettings(() -> live).build();
    assertEquals(Optional.empty(), enter("free").decide(BEFORE_AUTHENTICATION));
    live.put("weir.access.deny", "192.0.2.0/24");
    weir.refresh();
    assertForbidden(enter("free").decide(BEFORE_AUTHENTICATION));
    assertTrue(weir.table().contains("access list: entries: 1 in settings"), weir.table());
    live.put("weir.access.deny", "192.0.2.0/99");
    weir.refresh();
    assertForbidden(enter("free").decide(BEFORE_AUTHENTICATION));
    live.clear();
    weir.refresh();
    assertEquals(Optional.empty(), enter("free").decide(BEFORE_AUTHENTICATION));
  }

  @Test
  void behindAProxyTheCallersAddressCountsAndTheProxysNever() {
    open("weir.proxy.trusted", "10.0.0.0/8", "weir.access.deny", "192.0.2.7");
    FakeRequest forwarded = FakeRequest.from("10.0.0.1").header("X-Forwarded-For", "192.0.2.7");
    assertForbidden(endpoint("free").enter(forwarded).decide(BEFORE_AUTHENTICATION));
    assertEquals(
        Optional.empty(),
        endpoint("free").enter(FakeRequest.from("10.0.0.1")).decide(BEFORE_AUTHENTICATION));
  }

  @Test
  void aCheckedRequestIsDeniedOrLetThroughToo() {
    open(
        "weir.access.deny",
        ADDRESS,
        "weir.access.allow",
        "192.0.2.2",
        "weir.default.limit",
        "1",
        "weir.default.window",
        "60");
    CheckResult denied = weir.checker().check(request()).toCompletableFuture().join();
    assertEquals(Reason.DENIED, denied.decision().orElseThrow().reason());
    assertFalse(weir.checker().peek(request()).admitted());
    assertFalse(
        weir.checker()
            .checkTogether(List.of(request()))
            .toCompletableFuture()
            .join()
            .get(0)
            .admitted());
    FakeRequest allowed = FakeRequest.from("192.0.2.2").endpoint("/shop");
    for (int i = 0; i < 3; i++) {
      CheckResult let = weir.checker().check(allowed).toCompletableFuture().join();
      assertEquals(Optional.empty(), let.decision());
    }
  }

  @Test
  void anExplanationNamesTheEntry() {
    open("weir.access.deny", ADDRESS, "weir.access.allow", "user:bob");
    weir.rememberRoutes();
    NextDecision denied = weir.next(request(), any -> true);
    assertEquals(Optional.of(false), denied.allowed());
    assertEquals("deny ip:192.0.2.1", denied.access().orElseThrow().toString());
    GuardedRequest seen = endpoint("look").enter(FakeRequest.from("192.0.2.2").endpoint("/look"));
    assertEquals(Optional.empty(), seen.decide(BEFORE_AUTHENTICATION));
    assertEquals(Optional.empty(), seen.decide(AFTER_AUTHENTICATION));
    seen.completed(200);
    NextDecision refusedEarly =
        weir.next(FakeRequest.from("192.0.2.2").endpoint("/look").user("bob"), any -> true);
    assertEquals(Optional.of(false), refusedEarly.allowed(), "by what is decided before the user");
    NextDecision unknown =
        weir.next(FakeRequest.outsideHttp().method("GET").endpoint("/look"), any -> false);
    assertEquals(Optional.empty(), unknown.allowed());
    assertTrue(
        unknown.undecided().toString().contains("access-list"), unknown.undecided().toString());
  }

  @Test
  void anExplanationReadsAtEachStepWhatTheRequestHasThere() {
    openWithSource();
    weir.rememberRoutes();
    FakeRequest atResource = request().endpoint("/shop/{id}");
    GuardedRequest seen = endpoint("free").enter(request());
    assertEquals(Optional.empty(), seen.decide(BEFORE_AUTHENTICATION));
    seen.moveTo(endpoint("look"), atResource);
    assertEquals(Optional.empty(), seen.decide(BEFORE_AUTHENTICATION));
    seen.completed(200);
    AccessSubject resource = AccessSubject.parse("resolver:place:/shop/{id}");
    source.listener.accept(List.of(AccessEntry.deny(resource)));
    assertEquals(
        Optional.of(resource),
        weir.next(atResource, any -> true).access().map(AccessEntry::subject));
  }

  @Test
  void aLookMeasuresNothing() {
    openWithSource();
    source.listener.accept(
        List.of(
            AccessEntry.deny(AccessSubject.address(ADDRESS)).inShadow(),
            AccessEntry.allow(AccessSubject.user("alice")).counted()));
    assertTrue(weir.checker().peek(request()).admitted());
    weir.next(request(), any -> true);
    assertEquals(0, decisions("access-list"));
    assertTrue(weir.checker().check(request()).toCompletableFuture().join().admitted());
    assertEquals(2, decisions("access-list"), "both entries, by a request that is decided");
  }

  @Test
  void withoutEntriesNothingIsDecidedOfAnUnlimitedEndpoint() {
    open();
    assertTrue(endpoint("free").isEmpty());
    assertFalse(endpoint("free").decides(AFTER_AUTHENTICATION));
    assertFalse(weir.hasAccessList());
    close();
    open("weir.access.deny", "");
    assertFalse(endpoint("free").isEmpty(), "so that later entries hold");
    assertTrue(weir.hasAccessList());
  }
}
