package io.weir.internal.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeTurnsTest {
  private static final int MOST = 5;

  private final NodeTurns turns = new NodeTurns(MOST);

  private static int comes(NodeTurns.Turn turn, int intervals) {
    return (int) IntStream.range(0, intervals).filter(any -> turn.comes()).count();
  }

  @Test
  void aNodeOfFewHasEachTurn() {
    NodeTurns.Turn turn = turns.turn();
    assertEquals(10, comes(turn, 10), "alone, as far as it knows");
    turns.learn(7);
    assertEquals(10, comes(turn, 10));
  }

  @Test
  void ofMoreNodesFourHaveTheirTurnAtATime() {
    turns.learn(12);
    assertEquals(20, comes(turns.turn(), 60));
  }

  @Test
  void ofVeryManyNodesEachHasATurnNowAndThen() {
    turns.learn(100_000);
    assertEquals(12, comes(turns.turn(), 12 * MOST));
    turns.learn(3);
    assertEquals(10, comes(turns.turn(), 10));
  }

  @Test
  void nodesThatStartTogetherAreSpread() {
    turns.learn(100);
    long together = IntStream.range(0, 1_000).filter(any -> turns.turn().comes()).count();
    assertTrue(together > 100 && together < 300, together + " of 1,000");
  }

  @Test
  void anIntervalThatIsLongHasNoTurns() {
    NodeTurns each = new NodeTurns(0);
    each.learn(1_000);
    assertEquals(10, comes(each.turn(), 10));
  }
}
