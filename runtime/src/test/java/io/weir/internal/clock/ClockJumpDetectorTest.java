package io.weir.internal.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.test.log.LogLines;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Logs the jump of a clock once, but not a drift or a slow reading. */
class ClockJumpDetectorTest {
  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;

  private final LogLines log = new LogLines();
  private final ClockJumpDetector watch = new ClockJumpDetector("The clock", "wind it");
  private long even = -5 * SECOND;
  private long clock = 1_700_000_000L * SECOND;

  @AfterEach
  void leave() {
    log.close();
  }

  private void pass(long time, long jump) {
    even += time;
    clock += time + jump;
    watch.record(clock, even, even);
  }

  @Test
  void saysOnceHowFarAndWhereItJumped() {
    pass(0, 0);
    pass(3 * SECOND, 0);
    assertEquals(List.of(), log.lines());
    pass(3 * SECOND, 61 * SECOND);
    assertEquals(List.of("WARNING The clock jumped ahead by 61.0 s: wind it"), log.lines());
    pass(3 * SECOND, -30 * SECOND);
    pass(3 * SECOND, 0);
    assertEquals(1, log.lines().size(), log.lines()::toString);
  }

  @Test
  void saysItAgainAfterTenQuietMinutes() {
    pass(0, 0);
    pass(SECOND, -5 * SECOND);
    assertEquals(List.of("WARNING The clock jumped back by 5.0 s: wind it"), log.lines());
    pass(9 * MINUTE, 5 * SECOND);
    pass(10 * MINUTE - SECOND, 5 * SECOND);
    assertEquals(1, log.lines().size(), log.lines()::toString);
    pass(10 * MINUTE, 5 * SECOND);
    assertEquals(2, log.lines().size(), log.lines()::toString);
  }

  @Test
  void aSecondIsNoJumpNorIsDrift() {
    pass(0, 0);
    pass(3 * SECOND, SECOND);
    pass(3 * SECOND, -SECOND);
    pass(60 * MINUTE, 3_600_000 + SECOND);
    pass(60 * MINUTE, -3_600_000 - SECOND);
    assertEquals(List.of(), log.lines());
    pass(3 * SECOND, SECOND + 3_001);
    assertEquals(1, log.lines().size(), log.lines()::toString);
  }

  @Test
  void whatAnAnswerTookIsNoJump() {
    watch.record(0, 0, 20 * SECOND); // read at any time of these
    watch.record(25 * SECOND, 21 * SECOND, 41 * SECOND);
    watch.record(26 * SECOND, 42 * SECOND, 42 * SECOND);
    watch.record(43 * SECOND, 43 * SECOND, 43 * SECOND + 1);
    assertEquals(
        List.of("WARNING The clock jumped ahead by 16.0 s: wind it"),
        log.lines(),
        log.lines()::toString);
  }
}
