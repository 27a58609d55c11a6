package io.weir.internal.rules.request;

import static io.weir.internal.rules.request.RuleRequests.get;
import static io.weir.internal.rules.request.RuleRequests.keyed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.database.Sha256Digest;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.spi.CallerTier;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how rules identify a caller and its tier. */
class WhoTheCallerIsTest {
  private static final String POSTS = "/api/posts";
  private static final String NAME = "api.posts-60s";

  private final RuleRequests app = new RuleRequests();

  @AfterEach
  void close() {
    app.close();
  }

  /** Rules of three tiers at one endpoint. */
  private RuleRequests tiers() {
    return app.rule("free", POSTS, 2).rule("premium", POSTS, 5).rule("staff", POSTS, 9);
  }

  private RuleRequests withKeys() {
    app.callers = new CallerSettings("header:X-Api-Key", false, "free");
    return tiers();
  }

  private long limit(FakeRequest request) {
    return app.send(request).limits().get(NAME);
  }

  @Test
  void theCallerIsThePrincipalBeforeTheKey() {
    withKeys().user("alice", "premium").user(Sha256Digest.of("k1"), "staff").start();
    assertEquals(5, limit(keyed(POSTS, "k1").user("alice")));
    assertEquals(9, limit(keyed(POSTS, "k1")));
  }

  @Test
  void withoutPrincipalAndKeyRulesByUserCountByAddress() {
    tiers().start();
    assertEquals(2, app.admitted(5, () -> get(POSTS)));
    assertTrue(app.send(FakeRequest.from("192.0.2.9").endpoint(POSTS)).isAdmitted());
  }

  @Test
  void usersOfTwoIssuersShareATierAndNoBucket() {
    tiers().user("alice", "premium").start();
    assertEquals(5, app.admitted(9, () -> get(POSTS, "alice").issuer("one")));
    assertEquals(5, app.admitted(9, () -> get(POSTS, "alice").issuer("other")));
  }

  @Test
  void usersOfTwoIssuersShareNoBucketAtEachEndpointEither() {
    app.rule(Rule.builder("*", POSTS).limit(3).perEndpoint(true).build()).start();
    assertEquals(3, app.admitted(5, () -> get(POSTS, "alice").issuer("one")));
    assertEquals(3, app.admitted(5, () -> get(POSTS, "alice").issuer("other")));
  }

  @Test
  void aBlankPrincipalIsNobody() {
    tiers().start();
    assertEquals(2, app.admitted(5, () -> get(POSTS, " ")));
    assertFalse(app.send(get(POSTS)).isAdmitted(), "both count by address");
  }

  @Test
  void aPrincipalIsLookedUpAsItIs() {
    tiers().user("Alice ", "premium").start();
    assertEquals(5, limit(get(POSTS, "Alice ")));
    assertEquals(2, limit(get(POSTS, "alice")));
  }

  @Test
  void aPrincipalCalledLikeADigestHasNoRow() {
    String digest = Sha256Digest.of("k1");
    withKeys().user(digest, "premium").start();
    assertEquals(2, limit(get(POSTS, digest)));
    assertEquals(5, limit(keyed(POSTS, "k1")));
  }

  @Test
  void aKeyIsLookedUpByItsDigestAlone() {
    withKeys().user("k1", "premium").start();
    assertEquals(2, limit(keyed(POSTS, "k1")));
    assertEquals(List.of(List.of(Sha256Digest.of("k1"))), app.lookedUp);
  }

  @Test
  void whereTheTableHasKeysTheyAreLookedUpAsTheyAreAndPrincipalsNotAtAll() {
    app.callers = new CallerSettings("header:X-Api-Key", true, "free");
    tiers().user("k1", "premium").start();
    assertEquals(5, limit(keyed(POSTS, "k1")));
    assertEquals(2, limit(get(POSTS, "k1")), "a user called like a key");
  }

  @Test
  void aUserAndAKeyOfOneNameHaveTwoBuckets() {
    withKeys().start();
    assertEquals(2, app.admitted(5, () -> get(POSTS, "same")));
    assertEquals(2, app.admitted(5, () -> keyed(POSTS, "same")));
  }

  @Test
  void aKeyNobodyKnowsHasTheDefaultTierAndABucketOfItsOwn() {
    withKeys().start();
    assertEquals(2, app.admitted(5, () -> keyed(POSTS, "invented1")));
    assertEquals(2, app.admitted(5, () -> keyed(POSTS, "invented2")));
  }

  @Test
  void aRuleByAddressHoldsForThoseWhoInventKeys() {
    withKeys().rule(Rule.builder("*", "*").limit(7).countBy(List.of("IP")).build());
    app.start();
    int[] key = new int[1];
    assertEquals(7, app.admitted(20, () -> keyed(POSTS, "invented" + key[0]++)));
    assertTrue(app.lookedUp.size() <= 7, "who is refused by address isn't looked up");
  }

  @Test
  void whatTheApplicationSaysOfTheTierGoesFirst() {
    tiers().user("alice", "premium").start();
    app.tier = CallerTier.named("staff");
    assertEquals(9, limit(get(POSTS, "alice")));
    app.tier = CallerTier.none();
    assertEquals(5, limit(get(POSTS, "alice")));
    assertEquals(2, limit(get(POSTS, "bob")));
  }

  @Test
  void theDefaultTierIsASetting() {
    app.callers = new CallerSettings("", false, "premium");
    tiers().start();
    assertEquals(5, limit(get(POSTS, "bob")));
    assertEquals(5, limit(get(POSTS)));
  }

  @Test
  void aTierHasNoOtherCase() {
    tiers().user("alice", "Premium").start();
    assertEquals(Map.of(), app.send(get(POSTS, "alice")).limits());
  }

  @Test
  void aRowThatHasEndedSaysNothing() {
    Instant end = FakeTicker.START.plusSeconds(60);
    tiers()
        .users
        .put(
            "alice",
            new UserTier("alice", "premium", List.of(), UserState.ENFORCED, Optional.of(end), 1));
    app.start();
    assertEquals(5, limit(get(POSTS, "alice")));
    app.ticker.advance(Duration.ofSeconds(60));
    assertEquals(2, limit(get(POSTS, "alice")));
  }

  private void own(OwnLimit... limits) {
    app.users.put(
        "alice",
        new UserTier("alice", "premium", List.of(limits), UserState.ENFORCED, Optional.empty(), 1));
  }

  @Test
  void anOwnLimitByPatternOrNameTakesThePlaceOfTheTiers() {
    tiers();
    own(new OwnLimit(POSTS, 50, Optional.empty()));
    app.start();
    assertEquals(50, limit(get(POSTS, "alice")));
    own(new OwnLimit(NAME, 60, Optional.empty()));
    app.apply();
    assertEquals(60, limit(get(POSTS, "alice")));
    own(new OwnLimit("/other", 60, Optional.empty()));
    app.apply();
    assertEquals(5, limit(get(POSTS, "alice")), "who isn't mentioned has the tier's");
  }

  @Test
  void anOwnLimitsWindowPicksOneOfSeveralRules() {
    tiers().rule(hourly("premium", 100));
    own(new OwnLimit(POSTS, 700, Optional.of(Duration.ofHours(1))));
    app.start();
    assertEquals(Map.of(NAME, 5L, "api.posts-3600s", 700L), app.send(get(POSTS, "alice")).limits());
  }

  private static Rule hourly(String tier, long limit) {
    return Rule.builder(tier, POSTS).limit(limit).window(RuleWindow.ofSeconds(3600)).build();
  }

  @Test
  void anOwnLimitsWindowThatNoRuleHasMakesARuleForThisCaller() {
    tiers();
    own(new OwnLimit(POSTS, 3, Optional.of(Duration.ofSeconds(10))));
    app.start();
    assertEquals(Map.of(NAME, 5L, "api.posts-10s", 3L), app.send(get(POSTS, "alice")).limits());
    assertEquals(Map.of(NAME, 2L), app.send(get(POSTS, "bob")).limits());
  }

  @Test
  void rulesMeasureAUserUnderEvaluationAndNeverRefuse() {
    tiers()
        .users
        .put(
            "alice",
            new UserTier("alice", "free", List.of(), UserState.EVALUATION, Optional.empty(), 1));
    app.start();
    assertEquals(5, app.admitted(5, () -> get(POSTS, "alice")));
    assertTrue(app.send(get(POSTS, "alice")).decision().parts().get(0).policy().shadow());
    assertEquals(2, app.admitted(5, () -> get(POSTS, "bob")));
  }

  @Test
  void whoCantBeLookedUpHasTheDefaultTierAndTheDecisionIsDegraded() {
    tiers().user("alice", "premium");
    app.isAway = true;
    app.start();
    RuleRequests.Outcome away = app.send(get(POSTS, "alice"));
    assertEquals(Map.of(NAME, 2L), away.limits());
    assertTrue(away.decision().degraded());
    app.isAway = false;
    RuleRequests.Outcome back = app.send(get(POSTS, "alice"));
    assertEquals(Map.of(NAME, 5L), back.limits());
    assertFalse(back.decision().degraded());
  }

  @Test
  void whoIsKnownKeepsTheTierWhileTheDatabaseIsAway() {
    tiers().user("alice", "premium").start();
    assertEquals(5, limit(get(POSTS, "alice")));
    app.isAway = true;
    assertFalse(app.send(get(POSTS, "alice")).decision().degraded());
    app.directory.drop(List.of("alice"));
    RuleRequests.Outcome changed = app.send(get(POSTS, "alice"));
    assertEquals(Map.of(NAME, 5L), changed.limits());
    assertTrue(changed.decision().degraded());
  }

  @Test
  void manyInventedKeysLeaveBoundedRows() {
    withKeys().start();
    for (int i = 0; i < 20_000; i++) {
      app.send(keyed(POSTS, "invented" + i));
    }
    assertTrue(app.directory.size() <= 1_000, "keeps " + app.directory.size());
  }

  @Test
  void aKeyThatIsTooLongIsTheClientsMistake() {
    withKeys().start();
    assertEquals(400, app.send(keyed(POSTS, "k".repeat(9_000))).refusal().orElseThrow().status());
  }

  @Test
  void aCallerExpressionThatCantBeReadStopsTheStart() {
    app.callers = new CallerSettings("haeder:X-Api-Key", false, "free");
    IllegalArgumentException mistake = assertThrows(IllegalArgumentException.class, app::start);
    assertTrue(mistake.getMessage().startsWith("weir.rules.caller = haeder:X-Api-Key: "));
  }
}
