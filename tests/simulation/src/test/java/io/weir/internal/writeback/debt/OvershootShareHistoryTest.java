package io.weir.internal.writeback.debt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.store.Membership;
import org.junit.jupiter.api.Test;

/** A node borrows by the least share that was its own at every moment of the last window. */
class OvershootShareHistoryTest {
  private static final long BEAT = 1_000_000;
  private static final long WINDOW = 10_000_000;

  /** A window counts a little longer, for clocks differ. */
  private static final long SURELY = 10_010_001;

  private final OvershootShareHistory shares = new OvershootShareHistory();

  private void beat(long at, int share) {
    shares.ask(at);
    shares.granted(new Membership(1, share), at, at + 1_000);
  }

  private void beats(long from, long until, int share) {
    for (long at = from; at <= until; at += BEAT) {
      beat(at, share);
    }
  }

  @Test
  void whoHasJustJoinedWaitsAWindow() {
    beats(0, 10 * BEAT, 500);
    assertEquals(0, shares.least(WINDOW, 1_000 + SURELY - 1));
    assertEquals(500, shares.least(WINDOW, 1_000 + SURELY));
  }

  @Test
  void nothingIsBorrowedWhileAHeartbeatIsUnderWay() {
    beats(0, 20 * BEAT, 500);
    assertEquals(500, shares.least(WINDOW, 20 * BEAT + 2_000));
    shares.ask(21 * BEAT);
    assertEquals(0, shares.least(WINDOW, 21 * BEAT));
    shares.granted(new Membership(1, 500), 21 * BEAT, 21 * BEAT + 500);
    assertEquals(500, shares.least(WINDOW, 21 * BEAT + 500));
  }

  @Test
  void theLeastOfTheLastWindowCounts() {
    beats(0, 20 * BEAT, 500);
    beats(21 * BEAT, 22 * BEAT, 200);
    beats(23 * BEAT, 33 * BEAT, 700);
    long last = 23 * BEAT + 1_000; // that it was 200
    assertEquals(200, shares.least(WINDOW, last + SURELY - 1));
    assertEquals(700, shares.least(WINDOW, last + SURELY));
    beat(34 * BEAT, 300);
    assertEquals(300, shares.least(WINDOW, 34 * BEAT + 1_000), "and a smaller one at once");
  }

  @Test
  void ofRisingSharesEachCountsUntilItsWindowIsOver() {
    beats(0, 10 * BEAT, 100);
    beats(11 * BEAT, 15 * BEAT, 200);
    beats(16 * BEAT, 26 * BEAT, 300);
    assertEquals(100, shares.least(WINDOW, 11 * BEAT + 1_000 + SURELY - 1));
    assertEquals(200, shares.least(WINDOW, 11 * BEAT + 1_000 + SURELY));
    assertEquals(200, shares.least(WINDOW, 16 * BEAT + 1_000 + SURELY - 1));
    assertEquals(300, shares.least(WINDOW, 16 * BEAT + 1_000 + SURELY));
  }

  @Test
  void aShareThatIsNotRenewedEndsBeforeTheStoreForgetsIt() {
    beats(0, 20 * BEAT, 500);
    long ends = 20 * BEAT + 3_000_000 - 3_000;
    assertEquals(500, shares.least(WINDOW, ends - 1));
    assertEquals(0, shares.least(WINDOW, ends));
    beats(24 * BEAT, 33 * BEAT, 500);
    assertEquals(0, shares.least(WINDOW, 24 * BEAT + 1_000 + SURELY - 1_000), "it was away");
    beat(34 * BEAT, 500);
    assertEquals(500, shares.least(WINDOW, 24 * BEAT + 1_000 + SURELY));
  }

  @Test
  void aHeartbeatThatIsNeverAnsweredMeansThatThereWasNoShare() {
    beats(0, 20 * BEAT, 500);
    shares.ask(21 * BEAT);
    beats(22 * BEAT, 31 * BEAT, 500);
    assertEquals(0, shares.least(WINDOW, 31 * BEAT + 1_000));
    beat(32 * BEAT, 500);
    assertEquals(500, shares.least(WINDOW, 22 * BEAT + 1_000 + SURELY));
  }

  @Test
  void anAnswerToAnOlderHeartbeatSaysNothing() {
    beats(0, 20 * BEAT, 500);
    shares.ask(21 * BEAT);
    shares.ask(22 * BEAT);
    shares.granted(new Membership(1, 900), 21 * BEAT, 22 * BEAT + 1);
    assertEquals(0, shares.least(WINDOW, 22 * BEAT + 1), "the newer one is under way");
  }

  @Test
  void aStoreThatForgotMeansAWindowWithoutAShare() {
    beats(0, 20 * BEAT, 500);
    long then = 20 * BEAT + 5_000;
    shares.forget(then);
    assertEquals(0, shares.least(WINDOW, then));
    beats(21 * BEAT, 31 * BEAT, 500);
    long back = 21 * BEAT + 1_000;
    assertEquals(0, shares.least(WINDOW, back + SURELY - 1));
    assertEquals(500, shares.least(WINDOW, back + SURELY));
  }

  @Test
  void ofVeryManyTheOldestCountLongerThanTheyNeed() {
    long hour = 3_600_000_000L;
    int last = 200;
    for (int i = 0; i <= last; i++) {
      beat(i * BEAT, 1_000 + i);
    }
    long now = last * BEAT + 2_000;
    assertEquals(0, shares.least(hour, now), "it began within the hour");
    assertEquals(1_000 + last - 2, shares.least(BEAT, now), "the newest are exact");
    // 64 are kept: the first, when there was none, now counts until the others begin.
    assertEquals(0, shares.least(63 * BEAT, now));
    assertEquals(1_000 + last - 63, shares.least(62 * BEAT, now));
  }

  @Test
  void aBriefWindowIsOverBeforeTheNextHeartbeat() {
    beat(0, 500);
    long brief = 100_000;
    assertEquals(0, shares.least(brief, 1_000 + brief + 100));
    assertEquals(500, shares.least(brief, 1_000 + brief + 101));
    assertEquals(500, shares.least(brief, 900_000));
  }
}
