package io.weir.internal.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Ticker;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Goes on while the machine is suspended, and never runs back. */
class SuspensionAwareClockTest {
  private static final Duration MILLI = Duration.ofMillis(1);

  private final FakeTicker ticker = new FakeTicker();
  private final SuspensionAwareClock follows = new SuspensionAwareClock(ticker, true);
  private final SuspensionAwareClock stays = new SuspensionAwareClock(ticker, false);

  private void both(long micros) {
    assertEquals(micros, follows.micros());
    assertEquals(micros, stays.micros());
  }

  private void sleep(Duration time) {
    ticker.jumpWall(time);
    ticker.advance(MILLI);
  }

  @Test
  void whatItWasSuspendedForCountsWithinAMillisecond() {
    both(0);
    ticker.jumpWall(Duration.ofHours(9));
    both(0);
    ticker.advance(MILLI);
    both(Duration.ofHours(9).toMillis() * 1_000 + 1_000);
    sleep(Duration.ofSeconds(2));
    both(Duration.ofHours(9).toMillis() * 1_000 + 2_002_000);
  }

  @Test
  void aSecondAndLessIsTakenForClocksThatDiffer() {
    sleep(Duration.ofSeconds(1));
    both(1_000);
    sleep(Duration.ofNanos(1_000));
    both(1_002_001);
  }

  @Test
  void aTimeOfDayThatIsSetBackMovesNothing() {
    both(0);
    sleep(Duration.ofHours(-1));
    both(1_000);
    sleep(Duration.ofMinutes(30));
    assertEquals(30 * 60 * 1_000_000L + 2_000, follows.micros(), "ahead of where it was set");
    assertEquals(2_000, stays.micros());
  }

  @Test
  void aTimeOfDayThatIsSetAgainAndAgainMovesItOnce() {
    sleep(Duration.ofHours(1));
    assertEquals(3_600_001_000L, stays.micros());
    for (int i = 0; i < 5; i++) {
      sleep(Duration.ofHours(-1));
      assertEquals(3_600_002_000L + 2_000 * i, stays.micros());
      sleep(Duration.ofHours(1));
      assertEquals(3_600_003_000L + 2_000 * i, stays.micros());
    }
  }

  @Test
  void aThreadThatStandsStillBetweenTheClocksMovesNothing() {
    Ticker slow =
        new Ticker() {
          @Override
          public long nanoTime() {
            return ticker.nanoTime();
          }

          @Override
          public long epochMicros() {
            long read = ticker.epochMicros();
            ticker.advance(Duration.ofMinutes(1));
            return read;
          }
        };
    SuspensionAwareClock time = new SuspensionAwareClock(slow, true);
    for (int i = 0; i < 5; i++) {
      long before = ticker.nanoTime();
      long told = time.micros();
      ticker.advance(MILLI);
      assertEquals(true, time.micros() - told <= (ticker.nanoTime() - before) / 1_000);
    }
  }
}
