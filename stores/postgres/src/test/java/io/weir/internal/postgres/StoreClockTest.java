package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.test.log.LogLines;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Follows the server's clock, never ahead of it, and logs its jumps. */
class StoreClockTest {
  private static final long SECOND = 1_000_000;
  private static final Duration WAY = Duration.ofMillis(3);
  private static final long WAY_MICROS = WAY.toNanos() / 1_000;

  private final LogLines log = new LogLines();
  private final FakeTicker ticker = new FakeTicker();
  private final StoreClock clock = new StoreClock(ticker);

  /** By how much the server's clock is ahead of the even one. */
  private long ahead = 1_700_000_000 * SECOND;

  @AfterEach
  void leave() {
    log.close();
  }

  private long serverMicros() {
    return clock.evenMicros() + ahead;
  }

  /** Sends a statement, which takes its time to arrive and its answer to come back. */
  private void ask() {
    long sentAt = clock.evenMicros();
    ticker.advance(WAY);
    long told = serverMicros();
    ticker.advance(WAY);
    clock.hear(told, sentAt);
  }

  private void askEachSecond(int times) {
    for (int i = 0; i < times; i++) {
      ticker.advance(Duration.ofSeconds(1));
      ask();
    }
  }

  private void assertBehindByNoMoreThanItSays() {
    long behind = serverMicros() - clock.now();
    assertTrue(behind >= 0, "ahead by " + -behind);
    assertTrue(behind <= clock.uncertainty(), behind + " of " + clock.uncertainty());
  }

  @Test
  void isBehindByLittleAndNeverAhead() {
    ask();
    assertBehindByNoMoreThanItSays();
    assertTrue(clock.uncertainty() <= 2 * WAY_MICROS + 10, "" + clock.uncertainty());
    ticker.advance(Duration.ofSeconds(10));
    assertBehindByNoMoreThanItSays();
    askEachSecond(5);
    assertBehindByNoMoreThanItSays();
    assertEquals(List.of(), log.lines());
  }

  @Test
  void followsAClockThatRunsFaster() {
    ask();
    for (int i = 0; i < 100; i++) {
      ahead += 300; // of a second's 1,000,000
      askEachSecond(1);
      assertBehindByNoMoreThanItSays();
    }
    assertEquals(List.of(), log.lines());
  }

  /** As where another server, whose clock differs, has become the primary. */
  @Test
  void aJumpAheadIsLoggedAndFollowed() {
    askEachSecond(3);
    ahead += 61 * SECOND;
    askEachSecond(1);
    assertBehindByNoMoreThanItSays();
    assertWarnedOnce("The clock of PostgreSQL jumped ahead by 61.0 s: ");
  }

  @Test
  void aJumpBackIsLoggedAndFollowed() {
    askEachSecond(3);
    ahead -= 5 * SECOND;
    askEachSecond(1);
    assertBehindByNoMoreThanItSays();
    assertWarnedOnce("The clock of PostgreSQL jumped back by 5.0 s: ");
  }

  private void assertWarnedOnce(String beginning) {
    assertEquals(1, log.warnings().size(), log.lines()::toString);
    assertTrue(log.warnings().get(0).startsWith(beginning), log.lines()::toString);
  }

  /** The statement arrives at once, and from then on the server's clock gains. */
  @Test
  void isBehindByNoMoreThanItSaysHoweverFarBothClocksDrift() {
    long sentAt = clock.evenMicros();
    long told = serverMicros();
    ticker.advance(WAY.multipliedBy(2));
    clock.hear(told, sentAt);
    ticker.advance(Duration.ofSeconds(100));
    ahead += 100 * SECOND / 2_000;
    assertBehindByNoMoreThanItSays();
  }
}
