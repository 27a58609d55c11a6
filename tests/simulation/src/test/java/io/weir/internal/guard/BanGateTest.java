package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.CheckResult;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.RateLimitExceededException;
import io.weir.Reason;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.adapter.EndpointType;
import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import io.weir.annotation.BanScope;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.metrics.DecisionCounts;
import io.weir.spi.AccessListSource;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers with too many strikes are banned, and nobody else is. */
class BanGateTest {
  private static final String ADDRESS = "192.0.2.1";
  private static final String OTHER = "192.0.2.2";

  private final FakeTicker ticker = new FakeTicker();
  private final DecisionCounts counts = new DecisionCounts();
  private final Source source = new Source();
  private WeirRuntime weir;

  static class Shop {
    @RateLimit(limit = 1, window = 10, name = "quick", banAfter = 3, banWithin = 60, banFor = 60)
    public void quick() {}

    @RateLimit(
        limit = 100,
        window = 60,
        name = "login",
        banAfter = 2,
        banFor = 600,
        banOn = {"401", "403"})
    public void login() {}

    @RateLimit(
        limit = 100,
        window = 60,
        name = "all",
        banAfter = 1,
        banOn = "401",
        banScope = BanScope.APPLICATION)
    public void all() {}

    @RateLimit(
        limit = 100,
        window = 60,
        by = By.USER,
        name = "users",
        banAfter = 1,
        banOn = "401",
        banScope = BanScope.APPLICATION)
    public void users() {}

    @RateLimit(
        limit = 100,
        window = 60,
        by = {By.KEY, By.IP},
        key = "query:account",
        name = "account",
        banAfter = 2,
        banOn = "401")
    public void account() {}

    @RateLimit(limit = 1, window = 10, name = "dry", banAfter = 1, banFor = 60, shadow = true)
    public void dry() {}

    @RateLimit(limit = 5, window = 60, name = "plain")
    public void plain() {}

    @Unlimited
    public void free() {}
  }

  /** Keeps bans as a database does. */
  private static final class Source implements PolicySource, AccessListSource {
    private Consumer<List<AccessEntry>> entries = all -> {};
    private Consumer<List<AccessEntry>> bans = all -> {};
    private final List<AccessEntry> made = new ArrayList<>();
    private final List<AccessSubject> lifted = new ArrayList<>();

    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
      return CompletableFuture.completedFuture(AppliedPolicies.noneInAnyPhase());
    }

    @Override
    public Optional<AccessListSource> accessList() {
      return Optional.of(this);
    }

    @Override
    public void follow(Consumer<List<AccessEntry>> listener) {
      entries = listener;
    }

    @Override
    public void followBans(Consumer<List<AccessEntry>> listener) {
      bans = listener;
    }

    @Override
    public boolean keepsBans() {
      return true;
    }

    @Override
    public void ban(AccessEntry ban, String policy) {
      made.add(ban.withReason(ban.reason() + " (" + policy + ")"));
    }

    @Override
    public void lift(AccessSubject subject) {
      lifted.add(subject);
    }
  }

  private void open(String... settings) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    weir =
        new DefaultWeirBuilder()
            .ticker(ticker)
            .metrics(counts)
            .policySource(source)
            .settings(all)
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

  /** Sends a request that the application answers with a status; returns the status sent. */
  private int send(String method, FakeRequest request, int status) {
    GuardedRequest entered = endpoint(method).enter(request);
    for (DecisionPhase phase : DecisionPhase.values()) {
      Optional<Refusal> refusal = entered.decide(phase);
      if (refusal.isPresent()) {
        entered.completed(refusal.get().status());
        return refusal.get().status();
      }
    }
    entered.completed(status);
    return status;
  }

  private int send(String method) {
    return send(method, FakeRequest.from(ADDRESS), 200);
  }

  private static FakeRequest from(String address, String agent) {
    return FakeRequest.from(address).header("User-Agent", agent);
  }

  private void pass(int seconds) {
    ticker.advance(Duration.ofSeconds(seconds));
  }

  @Test
  void onlyRefusalsBeforeTheTimeToldAreStrikes() {
    open();
    assertEquals(200, send("quick"));
    assertEquals(429, send("quick"));
    assertEquals(0, counts.strikes("quick"), "nobody had told it to wait");
    for (int i = 0; i < 2; i++) {
      assertEquals(429, send("quick"));
    }
    assertEquals(2, counts.strikes("quick"));
    assertEquals(List.of(), weir.bans());
    assertEquals(429, send("quick"));
    assertEquals(1, counts.bans("quick"));
    AccessEntry ban = weir.bans().get(0);
    assertEquals("policy:quick:ip:192.0.2.1", ban.subject().toString());
    assertEquals("3 strikes by quick within 1 minute", ban.reason());
    assertEquals(ticker.instant().plusSeconds(60), ban.end().orElseThrow());
    assertEquals("3 strikes by quick within 1 minute (quick)", source.made.get(0).reason());
  }

  @Test
  void aBannedCallerIsToldTheEndAndChargesNothing() {
    open();
    ban("quick");
    pass(20); // there is a permit again
    GuardedRequest request = endpoint("quick").enter(FakeRequest.from(ADDRESS));
    Refusal refusal = request.decide(BEFORE_AUTHENTICATION).orElseThrow();
    assertEquals(429, refusal.status());
    assertEquals(Reason.BANNED, request.decision().reason());
    assertEquals("quick", request.decision().policy().name());
    assertTrue(
        refusal.headers().contains(new HeaderField("Retry-After", "40")), refusal.toString());
    assertTrue(refusal.text().contains("banned"), refusal.text());
    assertEquals(200, send("quick", FakeRequest.from(OTHER), 200), "another caller");
    assertEquals(200, send("plain"), "another policy");
    pass(40);
    assertEquals(200, send("quick"));
  }

  private void ban(String method) {
    for (int i = 0; i < 5; i++) {
      send(method);
    }
    assertEquals(1, weir.bans().size());
  }

  @Test
  void aCallerThatWaitsGetsNoStrikes() {
    open();
    for (int i = 0; i < 10; i++) {
      send("quick");
      assertEquals(429, send("quick"));
      pass(11);
    }
    assertEquals(0, counts.strikes("quick"));
  }

  @Test
  void behindOneAddressAnotherCallersWaitIsNotTold() {
    open();
    send("quick", from(ADDRESS, "first"), 200);
    assertEquals(429, send("quick", from(ADDRESS, "first"), 200));
    assertEquals(429, send("quick", from(ADDRESS, "second"), 200));
    assertEquals(429, send("quick", from(ADDRESS, "first").user("alice"), 200));
    assertEquals(0, counts.strikes("quick"));
    assertEquals(429, send("quick", from(ADDRESS, "second"), 200));
    assertEquals(1, counts.strikes("quick"));
  }

  @Test
  void strikesOfOtherTimesDoNotCount() {
    open();
    for (int i = 0; i < 20; i++) {
      send("quick");
      send("quick");
      send("quick"); // one strike
      pass(40);
    }
    assertEquals(20, counts.strikes("quick"));
    assertEquals(0, counts.bans("quick"));
  }

  @Test
  void theApplicationsStatusIsAStrikeAndOurOwnIsNot() {
    open();
    send("login", FakeRequest.from(ADDRESS), 404);
    send("login", FakeRequest.from(ADDRESS).method("OPTIONS"), 401);
    assertEquals(0, counts.strikes("login"));
    assertEquals(401, send("login", FakeRequest.from(ADDRESS), 401));
    assertEquals(403, send("login", FakeRequest.from(ADDRESS), 403));
    assertEquals(429, send("login", FakeRequest.from(ADDRESS), 401));
    assertEquals(200, send("login", FakeRequest.from(OTHER), 200));
  }

  /** A filter before the application may answer 401 to any method. */
  @Test
  void passwordsAreNotTriedByOptions() {
    open();
    for (int i = 0; i < 9; i++) {
      send("login", FakeRequest.from(ADDRESS).method("OPTIONS").header("Origin", "null"), 401);
    }
    assertEquals(0, counts.strikes("login"), "a browser's preflight");
    send("login", FakeRequest.from(ADDRESS).method("OPTIONS").header("Authorization", "x"), 401);
    send("login", FakeRequest.from(ADDRESS).method("OPTIONS").header("Cookie", "token=x"), 401);
    assertEquals(2, counts.strikes("login"));
    assertEquals(1, counts.bans("login"));
  }

  @Test
  void theOutcomeIsOnlyNeededWhereItMayBeAStrike() {
    weir = new DefaultWeirBuilder().ticker(ticker).build();
    assertTrue(enter("login").needsOutcome());
    assertFalse(enter("quick").needsOutcome());
    assertFalse(enter("plain").needsOutcome());
  }

  private GuardedRequest enter(String method) {
    GuardedRequest request = endpoint(method).enter(FakeRequest.from(ADDRESS));
    request.decide(BEFORE_AUTHENTICATION);
    return request;
  }

  @Test
  void aBanFromTheApplicationIsInForceEverywhere() {
    open();
    assertEquals(200, send("free"));
    assertEquals(401, send("all", FakeRequest.from(ADDRESS), 401));
    assertEquals("ip:192.0.2.1", weir.bans().get(0).subject().toString());
    for (String each : List.of("free", "plain", "all", "users")) {
      assertEquals(429, send(each));
      assertEquals(200, send(each, FakeRequest.from(OTHER), 200));
    }
    GuardedRequest refused = enter("free");
    assertEquals(Reason.BANNED, refused.decision().reason());
    assertEquals("access-list", refused.decision().policy().name());
    assertEquals(0, counts.of("plain").of(Outcome.REFUSED));
  }

  /** Some adapters bind endpoints once and for all, such as that of JAX-RS. */
  @Test
  void whatNothingLimitsIsBoundWhereAPolicyThatIsKnownBansFromTheApplication() {
    open();
    assertFalse(weir.hasAccessList());
    weir.check(List.of(Shop.class), EndpointType.SERVLET);
    assertTrue(weir.hasAccessList());
    close();
    open(
        "weir.policy.path.url", "/login",
        "weir.policy.path.limit", "9",
        "weir.policy.path.window", "10s",
        "weir.policy.path.ban-after", "2",
        "weir.policy.path.ban-scope", "application");
    assertTrue(weir.hasAccessList());
  }

  @Test
  void aUserIsBannedOnceItIsKnownAndOthersOfItsAddressAreNot() {
    open();
    FakeRequest alice = FakeRequest.from(ADDRESS).user("alice");
    assertEquals(401, send("users", alice, 401));
    assertEquals("user:alice", weir.bans().get(0).subject().toString());
    GuardedRequest request = endpoint("free").enter(alice);
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertEquals(429, request.decide(AFTER_AUTHENTICATION).orElseThrow().status());
    assertEquals(200, send("free", FakeRequest.from(ADDRESS).user("bob"), 200));
    assertEquals(200, send("free", FakeRequest.from(ADDRESS).user("alice").issuer("other"), 200));
    assertEquals(200, send("free"));
  }

  @Test
  void theOwnerOfAnAccountIsNotBannedByStrangers() {
    open();
    for (int i = 0; i < 20; i++) {
      send("account", FakeRequest.from(OTHER).query("account", "alice"), 401);
    }
    assertEquals(429, send("account", FakeRequest.from(OTHER).query("account", "alice"), 200));
    assertEquals(200, send("account", FakeRequest.from(ADDRESS).query("account", "alice"), 200));
    assertEquals(200, send("account", FakeRequest.from(OTHER).query("account", "bob"), 200));
  }

  @Test
  void entriesOverruleBans() {
    open();
    ban("quick");
    source.entries.accept(List.of(AccessEntry.allow(AccessSubject.address(ADDRESS))));
    assertEquals(200, send("quick"));
    source.entries.accept(List.of(AccessEntry.allow(AccessSubject.address(ADDRESS)).counted()));
    long strikes = counts.strikes("quick");
    for (int i = 0; i < 5; i++) {
      assertEquals(200, send("quick"));
    }
    assertEquals(strikes, counts.strikes("quick"), "an allowed caller gets none");
    source.entries.accept(List.of(AccessEntry.deny(AccessSubject.address(ADDRESS))));
    assertEquals(403, send("quick"));
    source.entries.accept(List.of());
    assertEquals(429, send("quick"));
  }

  @Test
  void anAllowedCallerIsNotBannedFromTheApplication() {
    open();
    send("all", FakeRequest.from(ADDRESS), 401);
    source.entries.accept(List.of(AccessEntry.allow(AccessSubject.address(ADDRESS))));
    assertEquals(200, send("free"));
    assertEquals(200, send("all"));
  }

  @Test
  void aPolicyInShadowModeMeasuresOnly() {
    open();
    for (int i = 0; i < 6; i++) {
      assertEquals(200, send("dry"));
    }
    assertEquals(1, counts.strikes("dry"));
    assertEquals(1, counts.bans("dry"));
    assertTrue(weir.bans().get(0).isShadow());
    assertTrue(source.made.get(0).isShadow());
    assertEquals(5, counts.of("dry").of(Outcome.SHADOW_REFUSED));
  }

  @Test
  void eachBanIsTwiceAsLongAsTheOneBefore() {
    open();
    List<Long> lengths = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 5; j++) {
        send("quick");
      }
      AccessEntry ban = source.made.get(source.made.size() - 1);
      Duration left = Duration.between(ticker.instant(), ban.end().orElseThrow());
      lengths.add(left.toSeconds());
      ticker.advance(left);
    }
    assertEquals(List.of(60L, 120L, 240L, 480L), lengths);
    pass(16 * 60 * 10);
    for (int j = 0; j < 5; j++) {
      send("quick");
    }
    AccessEntry ban = source.made.get(source.made.size() - 1);
    assertEquals(ticker.instant().plusSeconds(60), ban.end().orElseThrow(), "it is forgotten");
  }

  @Test
  void aBanIsLiftedByCodeAndByTheSource() {
    open();
    ban("quick");
    AccessSubject subject = weir.bans().get(0).subject();
    assertTrue(weir.liftBan(subject));
    assertFalse(weir.liftBan(subject));
    assertEquals(List.of(subject), source.lifted);
    pass(20);
    assertEquals(200, send("quick"));
    send("quick");
    send("quick");
    send("quick");
    assertEquals(List.of(), weir.bans(), "strikes begin anew");
    source.bans.accept(List.of(AccessEntry.ban(subject, ticker.instant().plusSeconds(60))));
    pass(20);
    assertEquals(429, send("quick"));
    source.bans.accept(List.of());
    assertEquals(200, send("quick"));
  }

  @Test
  void calledMethodsAreRefusedAndStruckToo() {
    open();
    call(endpoint("free").enter(FakeRequest.from(ADDRESS))).admit();
    for (int i = 0; i < 4; i++) {
      GuardedRequest around = endpoint("free").enter(FakeRequest.from(ADDRESS));
      assertThrows(RateLimitExceededException.class, () -> call(around).admit());
    }
    GuardedRequest around = endpoint("free").enter(FakeRequest.from(ADDRESS));
    RateLimitExceededException banned =
        assertThrows(RateLimitExceededException.class, () -> call(around).admit());
    assertEquals(Reason.BANNED, banned.decision().reason());
    assertEquals(429, around.refusalIn(banned).orElseThrow().status());
  }

  private GuardedRequest call(GuardedRequest around) {
    return endpoint("quick").enterCall("Shop#quick", List.of(), new Object[0], around);
  }

  @Test
  void callsWithinOneRequestAreOneStrikeAtMost() {
    open();
    send("quick");
    send("quick");
    GuardedRequest around = endpoint("free").enter(FakeRequest.from(ADDRESS));
    for (int i = 0; i < 9; i++) {
      assertThrows(RateLimitExceededException.class, () -> call(around).admit());
    }
    assertEquals(1, counts.strikes("quick"));
  }

  @Test
  void theStatusOfTheRequestAroundACallMayBeAStrike() {
    open();
    for (int i = 0; i < 2; i++) {
      GuardedRequest around = endpoint("free").enter(FakeRequest.from(ADDRESS));
      GuardedRequest call =
          endpoint("login").enterCall("Shop#login", List.of(), new Object[0], around);
      call.admit();
      call.completed(200);
      around.completed(401);
    }
    assertEquals(1, counts.bans("login"));
  }

  @Test
  void anAsynchronousRequestIsRefusedAndStruckToo() {
    open();
    for (int i = 0; i < 5; i++) {
      assertEquals(i > 0, asynchronous("quick").isPresent());
    }
    assertEquals(1, weir.bans().size());
    assertTrue(asynchronous("quick").orElseThrow().text().contains("banned"));
  }

  private Optional<Refusal> asynchronous(String method) {
    return endpoint(method)
        .enter(FakeRequest.from(ADDRESS))
        .decideAsync(BEFORE_AUTHENTICATION, Runnable::run)
        .toCompletableFuture()
        .join();
  }

  @Test
  void checksAreStruckAndQuestionsAreNot() {
    open(
        "weir.policy.path.url", "/shop/*",
        "weir.policy.path.limit", "1",
        "weir.policy.path.window", "10s",
        "weir.policy.path.ban-after", "2",
        "weir.policy.path.ban-for", "1m");
    FakeRequest request = FakeRequest.from(ADDRESS).endpoint("/shop/a");
    for (int i = 0; i < 9; i++) {
      CheckResult peeked = weir.checker().peek(request);
      assertTrue(peeked.admitted());
    }
    for (int i = 0; i < 4; i++) {
      assertEquals(i == 0, check(request).admitted());
    }
    assertEquals(1, weir.bans().size());
    pass(20);
    assertEquals(Reason.BANNED, check(request).decision().orElseThrow().reason());
    assertEquals(Reason.BANNED, weir.checker().peek(request).decision().orElseThrow().reason());
    assertEquals(2, counts.strikes("path"));
  }

  private CheckResult check(FakeRequest request) {
    return weir.checker().check(request).toCompletableFuture().join();
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1", "127.0.0.1", "203.0.113.7"})
  void noAddressIsBannedThatMayBeAnUntrustedProxys(String proxy) {
    open();
    FakeRequest forwarded = FakeRequest.from(proxy).header("X-Forwarded-For", ADDRESS);
    for (int i = 0; i < 9; i++) {
      assertEquals(401, send("login", forwarded, 401));
    }
    assertEquals(0, counts.strikes("login"));
  }

  @Test
  void aPublicAddressIsBannedThatSendsForwardingHeadersToNoProxy() {
    open("weir.proxy.trusted", "");
    FakeRequest forwarded = FakeRequest.from("203.0.113.7").header("X-Forwarded-For", ADDRESS);
    send("login", forwarded, 401);
    send("login", forwarded, 401);
    assertEquals(429, send("login", forwarded, 401));
    FakeRequest inside = FakeRequest.from("10.0.0.1").header("X-Forwarded-For", ADDRESS);
    for (int i = 0; i < 9; i++) {
      assertEquals(401, send("login", inside, 401));
    }
  }

  @Test
  void aPrivateAddressThatForwardsToATrustedProxyIsNotBanned() {
    open("weir.proxy.trusted", "10.0.0.1");
    FakeRequest mesh =
        FakeRequest.from("10.0.0.1").header("X-Forwarded-For", ADDRESS + ", 10.0.7.7");
    FakeRequest inside = FakeRequest.from("10.0.0.1").header("X-Forwarded-For", "10.0.7.8");
    for (int i = 0; i < 9; i++) {
      assertEquals(401, send("login", mesh, 401));
    }
    assertEquals(0, counts.strikes("login"));
    send("login", inside, 401);
    send("login", inside, 401);
    assertEquals("policy:login:ip:10.0.7.8", weir.bans().get(0).subject().toString());
  }

  @Test
  void questionsDoNotMeasureBansOfATrial() {
    open(
        "weir.policy.path.url", "/shop/*",
        "weir.policy.path.limit", "9",
        "weir.policy.path.window", "10s",
        "weir.policy.path.ban-after", "2");
    AccessSubject subject = AccessSubject.parse("policy:path:ip:" + ADDRESS);
    Instant end = ticker.instant().plusSeconds(60);
    source.bans.accept(List.of(AccessEntry.ban(subject, end).inShadow()));
    FakeRequest request = FakeRequest.from(ADDRESS).endpoint("/shop/a");
    FakeRequest preflight = FakeRequest.from(ADDRESS).endpoint("/shop/a").method("OPTIONS");
    assertTrue(weir.checker().peek(request).admitted());
    assertTrue(weir.checker().peek(preflight).admitted());
    assertEquals(0, counts.of("path").of(Outcome.SHADOW_REFUSED));
    assertTrue(check(request).admitted());
    assertEquals(1, counts.of("path").of(Outcome.SHADOW_REFUSED));
  }

  @Test
  void behindATrustedProxyTheCallerIsBannedAndTheProxyNever() {
    open("weir.proxy.trusted", "10.0.0.0/8");
    FakeRequest forwarded = FakeRequest.from("10.0.0.1").header("X-Forwarded-For", ADDRESS);
    for (int i = 0; i < 9; i++) {
      send("login", forwarded, 401);
      send("login", FakeRequest.from("10.0.0.1"), 401);
    }
    assertEquals(1, weir.bans().size());
    assertEquals("policy:login:ip:192.0.2.1", weir.bans().get(0).subject().toString());
  }

  @Test
  void bansAreBounded() {
    open("weir.bans.max", "2");
    for (int i = 1; i < 9; i++) {
      FakeRequest request = FakeRequest.from("192.0.2." + i);
      send("login", request, 401);
      send("login", request, 401);
    }
    assertEquals(2, weir.bans().size());
  }

  @Test
  void anotherNodesBanEndsTheStrikesThatThisNodeHadCounted() {
    open();
    send("login", FakeRequest.from(ADDRESS), 401);
    AccessEntry ban =
        AccessEntry.ban(
            AccessSubject.ofPolicy("login", "ip:" + ADDRESS), ticker.instant().plusSeconds(10));
    source.bans.accept(List.of(ban));
    assertEquals(429, send("login"));
    pass(10);
    assertEquals(401, send("login", FakeRequest.from(ADDRESS), 401));
    assertEquals(200, send("login"), "one strike of two");
  }
}
