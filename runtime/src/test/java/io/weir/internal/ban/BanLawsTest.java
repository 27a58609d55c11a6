package io.weir.internal.ban;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.BanTerms;
import io.weir.seeds.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tries strikes of one caller at several nodes, which die before they have charged them, or before
 * they learn what the store has counted. A ban takes no fewer strikes than its terms say, and no
 * more than those and what arrives in a second; nobody else is banned.
 */
class BanLawsTest {
  private static final String STRANGER = "203.0.113.99";

  private final HandTicker ticker = new HandTicker();
  private final SharedStore store = new SharedStore(ticker);
  private final List<BanNode> nodes = new ArrayList<>();

  /** Strikes since the last ban, those of dead nodes as well. */
  private int strikes;

  /** Those that no node and no store has any more, or that nobody has looked at yet. */
  private int excused;

  @Test
  void aBanTakesAsManyStrikesAsItsTermsSay() {
    Seeds.each(200, random -> new BanLawsTest().run(random));
  }

  private BanNode node() {
    return new BanNode(ticker, store, 1_000);
  }

  private void run(Random random) {
    int after = 1 + random.nextInt(20);
    BanTerms terms = BanNode.terms(after);
    for (int i = random.nextInt(5); i >= 0; i--) {
      nodes.add(node());
    }
    WatchedCaller caller = BanNode.caller(terms, "203.0.113.7");
    WatchedCaller stranger = BanNode.caller(terms, STRANGER);
    int bans = 0;
    for (int second = 0; second < 500 && bans < 8; second++) {
      int arrived = second(random, caller);
      if (nodes.stream().anyMatch(each -> each.bans(caller))) {
        assertTrue(strikes >= after, () -> "banned for " + strikes + " of " + after);
        int most = after - 1 + excused + arrived;
        assertTrue(strikes <= most, () -> strikes + " strikes, at most " + most);
        bans++;
        end(caller);
      } else {
        int counted = strikes - excused;
        assertTrue(counted < after, () -> "not banned for " + counted + " of " + after);
      }
      assertFalse(nodes.stream().anyMatch(each -> each.bans(stranger)));
    }
    assertTrue(bans > 0, "never banned");
  }

  /** Has strikes arrive, and batches sent, by nodes that may die; returns the strikes. */
  private int second(Random random, WatchedCaller caller) {
    int before = strikes;
    int[] arrived = new int[nodes.size()];
    for (int i = 0; i < arrived.length; i++) {
      BanNode node = nodes.get(i);
      int known = node.strikes;
      for (int tries = random.nextInt(4); tries > 0; tries--) {
        node.fail(caller);
      }
      arrived[i] = node.strikes - known;
      strikes += arrived[i];
    }
    for (int i = 0; i < arrived.length; i++) {
      switch (random.nextInt(12)) {
        case 0 -> die(i, arrived[i], caller); // before it charges them
        case 1 -> { // before it learns of a full count, which the next batch finds
          store.losesAnswers = true;
          nodes.get(i).passSecond();
          store.losesAnswers = false;
          die(i, arrived[i], caller);
        }
        default -> nodes.get(i).passSecond();
      }
    }
    ticker.pass(Duration.ofMillis(100)); // all strikes are within the ten minutes
    return strikes - before;
  }

  /** Replaces a node, whose own ban is lost with it. */
  private void die(int index, int arrived, WatchedCaller caller) {
    excused = nodes.get(index).bans(caller) ? strikes : excused + arrived;
    nodes.set(index, node());
  }

  /** Has all nodes learn of the ban, and waits for its end. */
  private void end(WatchedCaller caller) {
    BanNode maker = nodes.stream().filter(each -> each.bans(caller)).findFirst().orElseThrow();
    nodes.forEach(each -> each.list.setKept(maker.list.inForce()));
    nodes.forEach(each -> assertTrue(each.bans(caller)));
    nodes.forEach(BanNode::passSecond);
    assertEquals(1, maker.list.inForce().size());
    ticker.pass(Duration.ofMinutes(17));
    strikes = 0;
    excused = 0;
  }
}
