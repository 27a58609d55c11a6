package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import io.weir.rules.Rules;
import io.weir.rules.history.RuleChange;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.TierUpgrade;
import io.weir.rules.tier.UpgradeStatus;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of requests for another tier, and of pages, on any database. */
abstract class UpgradesContract {
  private Rules rules;

  /** An empty database of its own. */
  abstract DataSource fresh();

  @BeforeEach
  void start() {
    rules = Rules.builder(fresh()).build();
    save("free", "/api/*", 10, 60);
    save("premium", "/api/*", 100, 60);
  }

  @AfterEach
  void stop() {
    rules.close();
  }

  private void save(String tier, String pattern, long limit, long seconds) {
    rules
        .rules()
        .save(
            Rule.builder(tier, pattern).limit(limit).window(RuleWindow.ofSeconds(seconds)).build(),
            "root");
  }

  private UserTier user(String userId) {
    return rules.users().find(userId).orElseThrow();
  }

  @Test
  void aRequestIsPendingUntilItIsApproved() {
    TierUpgrade asked = rules.upgrades().request("ann", "premium", "we grow");
    assertEquals("free", asked.currentTier());
    assertEquals("premium", asked.requestedTier());
    assertEquals("we grow", asked.reason());
    assertEquals(UpgradeStatus.PENDING, asked.status());
    assertTrue(asked.createdAt().isPresent());
    assertEquals(1, rules.upgrades().pending());

    TierUpgrade approved = rules.upgrades().approve(asked.id(), "welcome", "root");
    assertEquals(UpgradeStatus.APPROVED, approved.status());
    assertEquals("root", approved.decidedBy());
    assertEquals("welcome", approved.answer());
    assertTrue(approved.decidedAt().isPresent());
    assertEquals("premium", user("ann").tier());
    assertEquals(0, rules.upgrades().pending());
    assertEquals(List.of(approved), rules.upgrades().of("ann"));
  }

  @Test
  void ofManyRequestsAtOnceOneIsPending() throws Exception {
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CyclicBarrier together = new CyclicBarrier(threads);
    try {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Callable<Boolean> asks =
            () -> {
              together.await();
              try {
                rules.upgrades().request("ann", "premium", "");
                return true;
              } catch (ConflictException pending) {
                return false;
              }
            };
        all.add(pool.submit(asks));
      }
      int asked = 0;
      for (Future<Boolean> each : all) {
        asked += each.get() ? 1 : 0;
      }
      assertEquals(1, asked);
    } finally {
      pool.shutdownNow();
    }
    assertEquals(1, rules.upgrades().of("ann").size());
  }

  @Test
  void whoHasBeenDeclinedOrHasWithdrawnMayAskAgain() {
    TierUpgrade first = rules.upgrades().request("ann", "premium", "");
    assertEquals(
        UpgradeStatus.DECLINED, rules.upgrades().decline(first.id(), "no", "root").status());
    TierUpgrade second = rules.upgrades().request("ann", "premium", "");
    assertThrows(
        ConflictException.class, () -> rules.upgrades().withdraw(second.id(), "somebody else"));
    assertEquals(UpgradeStatus.WITHDRAWN, rules.upgrades().withdraw(second.id(), "ann").status());
    rules.upgrades().request("ann", "premium", "");
    assertEquals(3, rules.upgrades().of("ann").size());
    assertEquals(Optional.empty(), rules.users().find("ann"));
  }

  @Test
  void whatIsDecidedIsNotDecidedAgain() {
    TierUpgrade asked = rules.upgrades().request("ann", "premium", "");
    rules.upgrades().decline(asked.id(), "", "root");
    assertThrows(ConflictException.class, () -> rules.upgrades().approve(asked.id(), "", "root"));
    assertThrows(ConflictException.class, () -> rules.upgrades().approve(999, "", "root"));
    assertEquals(Optional.empty(), rules.users().find("ann"));
  }

  @Test
  void aTierThatNobodyKnowsAndTheOneThatIsThereAreRefused() {
    for (String tier : List.of("gold", "free", "*", "")) {
      assertThrows(
          InvalidRuleException.class, () -> rules.upgrades().request("ann", tier, ""), tier);
    }
    assertThrows(
        InvalidRuleException.class,
        () -> rules.upgrades().request("ann", "premium", "x".repeat(1_001)));
  }

  @Test
  void theTierOfNowIsReadAndOneThatHasEndedDoesNotCount() {
    rules
        .users()
        .save(
            new UserTier(
                "ann",
                "premium",
                List.of(),
                UserState.ENFORCED,
                Optional.of(Instant.now().minusSeconds(1)),
                0),
            "root");
    TierUpgrade asked = rules.upgrades().request("ann", "premium", "");
    assertEquals("free", asked.currentTier());
    rules.upgrades().approve(asked.id(), "", "root");
    assertEquals(Optional.empty(), user("ann").validUntil());
  }

  @Test
  void anUpgradeNeverLowersALimit() {
    save("premium", "/api/export", 5, 60);
    assertEquals(
        List.of("api.export-60s at /api/export: 5 per minute is less than free has there"),
        rules.upgrades().lowered("ann", "premium"));
    TierUpgrade asked = rules.upgrades().request("ann", "premium", "");
    InvalidRuleException refused =
        assertThrows(
            InvalidRuleException.class, () -> rules.upgrades().approve(asked.id(), "", "root"));
    assertTrue(refused.getMessage().contains("api.export-60s"), refused.getMessage());
    assertEquals(Optional.empty(), rules.users().find("ann"));
    assertEquals(1, rules.upgrades().pending());
  }

  @Test
  void windowsOfOtherLengthsAreComparedByWhatTheyAdmit() {
    save("hourly", "/api/*", 600, 3_600); // 10 a minute are 600 an hour
    assertEquals(List.of(), rules.upgrades().lowered("ann", "hourly"));
    save("tight", "/api/*", 599, 3_600);
    assertEquals(1, rules.upgrades().lowered("ann", "tight").size());
    save("quick", "/api/*", 9, 1);
    assertEquals(1, rules.upgrades().lowered("ann", "quick").size(), "10 at once");
  }

  @Test
  void aLimitWhereThereWasNoneIsLower() {
    save("other", "/files", 1_000, 60);
    assertEquals(
        List.of("files-60s at /files: 1,000 per minute is less than free has there"),
        rules.upgrades().lowered("ann", "other"));
  }

  @Test
  void ownLimitsStayAndCountAsLimitsOfNow() {
    rules
        .users()
        .save(
            new UserTier(
                "ann",
                "free",
                List.of(new OwnLimit("/api/*", 500, Optional.empty())),
                UserState.EVALUATION,
                Optional.empty(),
                0),
            "root");
    assertEquals(List.of(), rules.upgrades().lowered("ann", "premium"), "they hold there too");
    TierUpgrade asked = rules.upgrades().request("ann", "premium", "");
    rules.upgrades().approve(asked.id(), "", "root");
    assertEquals(500, user("ann").ownLimits().get(0).limit());
    assertEquals(UserState.EVALUATION, user("ann").state());

    save("odd", "/api/things", 50, 60);
    assertEquals(1, rules.upgrades().lowered("ann", "odd").size(), "the own limit fits nothing");
  }

  @Test
  void pagesOfRequestsUsersAndChangesFollowEachOther() {
    for (int i = 0; i < 5; i++) {
      rules.users().save(UserTier.of("user" + i, i < 3 ? "free" : "premium"), "root");
      rules.upgrades().request("asker" + i, "premium", "");
    }
    var first = rules.users().list(Optional.empty(), Optional.empty(), "", 3);
    var next = rules.users().list(Optional.empty(), Optional.empty(), first.get(2).userId(), 3);
    assertEquals(List.of("user0", "user1", "user2"), first.stream().map(UserTier::userId).toList());
    assertEquals(List.of("user3", "user4"), next.stream().map(UserTier::userId).toList());
    assertEquals(
        2,
        rules.users().list(Optional.of("premium"), Optional.of(UserState.ENFORCED), "", 9).size());
    assertEquals(
        0, rules.users().list(Optional.empty(), Optional.of(UserState.EVALUATION), "", 9).size());

    List<TierUpgrade> newest =
        rules.upgrades().list(Optional.of(UpgradeStatus.PENDING), Long.MAX_VALUE, 2);
    assertEquals(List.of("asker4", "asker3"), newest.stream().map(TierUpgrade::userId).toList());
    assertEquals(
        List.of("asker2", "asker1", "asker0"),
        rules.upgrades().list(Optional.empty(), newest.get(1).id(), 9).stream()
            .map(TierUpgrade::userId)
            .toList());

    Optional<String> table = Optional.of("user_tiers");
    Optional<Instant> none = Optional.empty();
    List<RuleChange> changes =
        rules.history().list(table, Optional.empty(), none, none, Long.MAX_VALUE, 2);
    assertEquals(List.of("user4", "user3"), changes.stream().map(RuleChange::rowKey).toList());
    assertEquals(
        3,
        rules
            .history()
            .list(table, Optional.empty(), none, none, changes.get(1).number(), 9)
            .size());
    assertEquals(
        List.of(),
        rules
            .history()
            .list(table, Optional.empty(), Optional.of(Instant.now().plusSeconds(9)), none, 99, 9));
  }

  @Test
  void rulesThatAreSavedTogetherAreSavedOrNot() {
    Rule good = Rule.builder("free", "/a").limit(1).build();
    Rule gone = Rule.builder("free", "/b").limit(1).row(9_999, 1).build();
    int before = rules.rules().all().size();
    assertThrows(ConflictException.class, () -> rules.rules().saveAll(List.of(good, gone), "root"));
    assertEquals(before, rules.rules().all().size());
    List<Rule> saved =
        rules.rules().saveAll(List.of(good, Rule.builder("free", "/b").limit(2).build()), "root");
    assertEquals(List.of("/a", "/b"), saved.stream().map(Rule::pattern).toList());
    assertEquals(before + 2, rules.rules().all().size());
    List<Rule> changed = List.of(saved.get(0).toBuilder().limit(9).build());
    Rule stale = saved.get(1).toBuilder().row(saved.get(1).id(), 7).build();
    assertThrows(
        ConflictException.class, () -> rules.rules().change(changed, List.of(stale), "root"));
    assertEquals(saved.get(0).version(), rules.rules().find(saved.get(0).id()).get().version());
    rules.rules().change(changed, List.of(saved.get(1)), "root");
    assertEquals(before + 1, rules.rules().all().size());
    assertEquals(9, rules.rules().find(saved.get(0).id()).get().limit());
  }

  @Test
  void ownLimitsThatHaveEndedDoNotComeBackWithAnUpgrade() {
    rules
        .users()
        .save(
            new UserTier(
                "ann",
                "free",
                List.of(new OwnLimit("/api/*", 500, Optional.empty())),
                UserState.ENFORCED,
                Optional.of(Instant.now().minusSeconds(1)),
                0),
            "root");
    TierUpgrade asked = rules.upgrades().request("ann", "premium", "");
    rules.upgrades().approve(asked.id(), "", "root");
    assertEquals("premium", user("ann").tier());
    assertEquals(List.of(), user("ann").ownLimits());
  }

  @Test
  void aRefusedUpgradeListsTenOfTheLimitsThatItWouldLower() {
    for (int i = 0; i < 12; i++) {
      save("small", "/files/" + i, 1, 60);
    }
    assertEquals(12, rules.upgrades().lowered("ann", "small").size());
    TierUpgrade asked = rules.upgrades().request("ann", "small", "");
    InvalidRuleException refused =
        assertThrows(
            InvalidRuleException.class, () -> rules.upgrades().approve(asked.id(), "", "root"));
    assertEquals(10, refused.problems().get(0).message().split("; ").length);
  }
}
