package io.weir.internal.ban;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.BanTerms;
import io.weir.Key;
import io.weir.access.AccessSubject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes count strikes together, and alone while they can't. */
class BansTest {
  private static final BanTerms FIVE = BanNode.terms(5);
  private static final WatchedCaller CALLER = BanNode.caller(FIVE, "203.0.113.7");
  private static final WatchedCaller OTHER = BanNode.caller(FIVE, "203.0.113.8");

  private final HandTicker ticker = new HandTicker();
  private final SharedStore store = new SharedStore(ticker);
  private final BanNode one = node();
  private final BanNode two = node();

  private BanNode node() {
    return new BanNode(ticker, store, 10);
  }

  private void fail(BanNode node, WatchedCaller caller, int times) {
    for (int i = 0; i < times; i++) {
      node.fail(caller);
    }
  }

  @Test
  void aNodesOwnStrikesBanAtOnce() {
    fail(one, CALLER, 4);
    assertFalse(one.bans(CALLER));
    fail(one, CALLER, 1);
    assertTrue(one.bans(CALLER));
    assertFalse(one.bans(OTHER));
    assertEquals(1, one.made);
    fail(one, CALLER, 9);
    assertEquals(5, one.strikes, "no strikes while it is banned");
  }

  @Test
  void strikesCountOverAllNodesInOneBatchASecond() {
    fail(one, CALLER, 3);
    fail(one, OTHER, 4);
    fail(two, CALLER, 2);
    assertEquals(1, one.waitingTasks());
    one.passSecond();
    assertEquals(1, store.calls);
    assertEquals(2, store.claims);
    assertFalse(one.bans(CALLER));
    two.passSecond();
    assertTrue(two.bans(CALLER));
    assertFalse(two.bans(OTHER));
    assertEquals(0, one.waitingTasks());
  }

  @Test
  void strikesOfManyCallersWaitForTheirTurn() {
    for (int i = 0; i < 1_200; i++) {
      one.fail(BanNode.caller(FIVE, "198.18." + i / 250 + "." + i % 250));
    }
    one.passSecond();
    assertEquals(1, store.calls);
    assertEquals(500, store.claims, "the store has decisions to make, too");
    for (int i = 0; i < 500; i++) {
      one.fail(BanNode.caller(FIVE, "198.18." + i / 250 + "." + i % 250));
    }
    one.passSecond();
    one.passSecond();
    assertEquals(1_200 + 300, store.claims);
    assertEquals(1_200, store.size(), "in the order in which they came");
    one.passSecond();
    assertEquals(1_700, store.claims);
    assertEquals(0, one.waitingTasks());
  }

  @Test
  void strikesBeginAnewAfterABan() {
    fail(one, CALLER, 5);
    ticker.pass(Duration.ofMinutes(1));
    fail(two, CALLER, 4);
    two.passSecond();
    assertFalse(two.bans(CALLER), "those of the other node led to its ban");
    fail(one, CALLER, 1);
    one.passSecond();
    assertTrue(one.bans(CALLER));
  }

  @Test
  void oldStrikesDoNotCount() {
    fail(one, CALLER, 4);
    one.passSecond();
    ticker.pass(Duration.ofMinutes(11));
    fail(two, CALLER, 4);
    two.passSecond();
    assertFalse(two.bans(CALLER));
    fail(two, CALLER, 1);
    assertTrue(two.bans(CALLER));
  }

  @Test
  void theLengthDependsOnTheBansOfAllNodes() {
    fail(one, CALLER, 5);
    assertEquals(end(Duration.ofMinutes(1)), one.only().end().orElseThrow());
    ticker.pass(Duration.ofMinutes(1));
    fail(two, CALLER, 5);
    assertEquals(end(Duration.ofMinutes(2)), two.only().end().orElseThrow());
    assertEquals(1, two.made);
    ticker.pass(Duration.ofMinutes(16 * 8));
    fail(one, CALLER, 5);
    assertEquals(end(Duration.ofMinutes(1)), one.only().end().orElseThrow());
  }

  @Test
  void nodesThatBanAtTheSameMomentMakeOneBan() {
    fail(one, CALLER, 5);
    ticker.pass(Duration.ofSeconds(1));
    fail(two, CALLER, 5);
    assertEquals(end(Duration.ofMinutes(1)), two.only().end().orElseThrow());
    ticker.pass(Duration.ofMinutes(1));
    fail(two, CALLER, 5);
    fail(one, CALLER, 5);
    assertEquals(end(Duration.ofMinutes(2)), one.only().end().orElseThrow());
    assertEquals(end(Duration.ofMinutes(2)), two.only().end().orElseThrow());
  }

  @Test
  void bothCountsOfANodeMakeOneBan() throws InterruptedException {
    fail(two, CALLER, 1);
    two.passSecond();
    fail(one, CALLER, 4);
    store.losesAnswers = true;
    one.passSecond();
    store.losesAnswers = false;
    Thread charging = new Thread(store.lost);
    ticker.meanwhile =
        () -> {
          charging.start();
          while (charging.isAlive() && charging.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
          }
        };
    fail(one, CALLER, 1);
    charging.join();
    assertEquals(1, one.made);
    assertEquals(end(Duration.ofMinutes(1)), one.only().end().orElseThrow());
  }

  @Test
  void aBanWithoutRoomMakesTheNextOneNotLonger() {
    BanNode small = new BanNode(ticker, store, 1);
    fail(small, OTHER, 5);
    fail(small, CALLER, 5);
    assertEquals(1, small.made);
    ticker.pass(Duration.ofMinutes(1));
    fail(small, CALLER, 5);
    assertEquals(end(Duration.ofMinutes(1)), small.only().end().orElseThrow());
  }

  private Instant end(Duration length) {
    return ticker.instant().plus(length);
  }

  @Test
  void anEndIsAWholeSecondAndNeverEarly() {
    ticker.pass(Duration.ofMillis(300));
    fail(one, CALLER, 5);
    assertEquals(end(Duration.ofMillis(60_700)), one.only().end().orElseThrow());
  }

  @Test
  void withoutTheStoreEachNodeCounts() {
    store.isAway = true;
    fail(one, CALLER, 4);
    fail(two, CALLER, 4);
    one.passSecond();
    two.passSecond();
    assertFalse(one.bans(CALLER) || two.bans(CALLER));
    fail(one, CALLER, 1);
    assertTrue(one.bans(CALLER));
    assertFalse(two.bans(CALLER));
  }

  /** A ban that another region reports would hide that this one has none. */
  @Test
  void strikesAndBansAreEachRegionsOwn() {
    fail(one, CALLER, 5);
    one.passSecond();
    assertTrue(one.bans(CALLER));
    assertTrue(store.size() > 1 && store.isOfRegion());
  }

  @Test
  void aStoreThatCannotCountThemIsNotAsked() {
    store.counts = false;
    fail(one, CALLER, 4);
    one.passSecond();
    fail(one, CALLER, 1);
    assertTrue(one.bans(CALLER));
    assertEquals(0, store.calls);
  }

  @Test
  void aFullCountBansThoughTheNodeThatFilledItHasDied() {
    fail(one, CALLER, 3);
    one.passSecond();
    store.losesAnswers = true;
    fail(two, CALLER, 2);
    two.passSecond();
    store.losesAnswers = false;
    fail(one, CALLER, 1);
    one.passSecond();
    assertTrue(one.bans(CALLER));
  }

  @Test
  void strikesThatWaitWhenABanArrivesAreForgotten() {
    fail(one, CALLER, 4);
    fail(two, CALLER, 5);
    one.list.setKept(two.list.inForce());
    one.passSecond();
    assertEquals(1, one.list.inForce().size());
    assertEquals(0, one.made);
    ticker.pass(Duration.ofMinutes(1));
    fail(two, CALLER, 1);
    two.passSecond();
    assertFalse(two.bans(CALLER));
  }

  @Test
  void callersBehindAnUnknownProxyAndNobodyAreNotBanned() {
    Key address = Key.address("10.0.0.1");
    fail(one, new WatchedCaller("login", FIVE, false, address, true), 9);
    fail(one, new WatchedCaller("login", FIVE, false, Key.nobody(), false), 9);
    fail(one, new WatchedCaller("login", FIVE, false, Key.address("peer x"), false), 9);
    assertEquals(0, one.strikes);
    Key user = Key.tuple(List.of(Key.user("alice"), address));
    fail(one, new WatchedCaller("login", FIVE, false, user, true), 5);
    assertEquals(1, one.made, "a user is a user behind any proxy");
  }

  @Test
  void aBanInShadowModeIsAnEntryInShadowMode() {
    fail(one, new WatchedCaller("login", FIVE, true, Key.address("203.0.113.7"), false), 5);
    assertTrue(one.only().isShadow());
  }

  @Test
  void aBanOfATrialDoesNotShieldFromARealOne() {
    WatchedCaller onTrial = new WatchedCaller("login", FIVE, true, CALLER.key(), false);
    fail(one, onTrial, 5);
    ticker.pass(Duration.ofMinutes(1));
    fail(one, onTrial, 5);
    assertTrue(one.only().isShadow());
    fail(one, CALLER, 4);
    one.passSecond();
    assertTrue(one.only().isShadow());
    fail(one, CALLER, 1);
    assertFalse(one.only().isShadow());
    assertTrue(one.bans(CALLER));
    fail(one, onTrial, 5);
    assertEquals(3, one.made, "a real ban is one under trial as well");
  }

  @Test
  void aNodeWithoutRoomMakesNoBan() {
    BanNode small = new BanNode(ticker, store, 1);
    fail(small, CALLER, 5);
    fail(small, OTHER, 5);
    assertEquals(1, small.made);
    assertEquals(1, small.list.inForce().size());
  }

  @Test
  void statusesOfOtherKindsAreNoStrikes() {
    one.bans.answered(CALLER, 403);
    assertEquals(0, one.strikes);
    one.bans.refused(CALLER, () -> "", Duration.ofSeconds(9));
    one.bans.refused(CALLER, () -> "", Duration.ofSeconds(9));
    assertEquals(0, one.strikes, "refusals aren't any under these terms");
  }

  @Test
  void aRefusalIsAStrikeBeforeTheTimeToldAndNotAfterwards() {
    BanTerms terms = BanNode.policy(5).banOn("REFUSALS").build().ban().orElseThrow();
    WatchedCaller caller = BanNode.caller(terms, "203.0.113.7");
    one.bans.refused(caller, () -> "a", Duration.ofSeconds(9));
    ticker.pass(Duration.ofSeconds(9));
    one.bans.refused(caller, () -> "a", Duration.ofSeconds(9));
    assertEquals(0, one.strikes);
    ticker.pass(Duration.ofMillis(8_999));
    one.bans.refused(caller, () -> "b", Duration.ofSeconds(9));
    assertEquals(0, one.strikes, "another caller behind the address");
    one.bans.refused(caller, () -> "a", Duration.ofSeconds(9));
    assertEquals(1, one.strikes);
    WatchedCaller user = new WatchedCaller("login", terms, false, Key.user("alice"), false);
    one.bans.refused(user, () -> "a", Duration.ofSeconds(9));
    one.bans.refused(user, () -> "b", Duration.ofSeconds(9));
    assertEquals(2, one.strikes, "a user is known whatever it sends");
  }

  @Test
  void aLiftedBanIsOver() {
    fail(one, CALLER, 5);
    AccessSubject subject = one.only().subject();
    assertTrue(one.bans.lift(subject));
    assertFalse(one.bans.lift(subject));
    assertFalse(one.bans(CALLER));
    fail(one, CALLER, 4);
    assertFalse(one.bans(CALLER));
  }

  @Test
  void anApplicationThatHasEndedBansNobody() {
    Bans none = Bans.none();
    for (int i = 0; i < 9; i++) {
      none.answered(CALLER, 401);
    }
    assertEquals(List.of(), none.list().inForce());
    assertFalse(none.areOfApplication());
  }
}
