package io.weir.internal.writeback.channel;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.clock.NodeClock;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a batch goes out beside another. */
class InFlightLimitTest {
  private static final long ROUND_TRIP = 1_000;

  private final FakeTicker ticker = new FakeTicker();
  private final NodeClock clock = new NodeClock(ticker);
  private final InFlightLimit limit = new InFlightLimit(clock, ROUND_TRIP);

  private void send(int claims) {
    limit.begin();
    limit.noteSent(claims, clock.micros());
  }

  @Test
  void aSmallerBatchWaitsForTheTimeOfARoundTrip() {
    assertTrue(limit.allows(1));
    send(2);
    assertFalse(limit.allows(1));
    assertTrue(limit.allows(2));
    ticker.advance(Duration.ofMillis(1));
    assertTrue(limit.allows(1));
  }

  @Test
  void isTriedAgainOnceEvenIfTheTimeHasPassedSinceItWasHeldBack() {
    send(2);
    assertFalse(limit.allows(1));
    ticker.advance(Duration.ofMillis(1));
    assertTrue(limit.needsRetry());
    assertFalse(limit.needsRetry());
    limit.endRetry();
    assertTrue(limit.needsRetry());
  }

  @Test
  void needsNoTimeIfAnAnswerIsWaitedFor() {
    send(2);
    send(2);
    assertFalse(limit.allows(2));
    assertFalse(limit.needsRetry());
    limit.end();
    assertTrue(limit.allows(2));
  }
}
