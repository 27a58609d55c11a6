package io.weir.internal.region;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.internal.clock.NodeClock;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * Estimates the time of day of another region's store: by this node's clock until the store has
 * answered.
 *
 * <p>Safe for concurrent use.
 */
final class RegionClock {
  private static final BucketSpec DAYS =
      BucketSpec.builder("weir.clock")
          .algorithm(Algorithm.FIXED_WINDOW)
          .calendar(CalendarWindow.of(1, ChronoUnit.DAYS, ZoneOffset.UTC))
          .build();

  private volatile Claim question = question(0);
  private volatile long ahead;
  private volatile long error;
  private volatile boolean isKnown;
  private int asked;

  RegionClock(NodeClock clock) {
    ahead = clock.epochMicros() - clock.micros();
  }

  private static Claim question(int number) {
    return Claim.peek(new BucketId(DAYS, Key.of("clock " + number)), 1, 1, 1).inWindow(0, 1);
  }

  /**
   * Asks for the time: it names a window that ended long ago, and so is answered by the clock and
   * changes nothing.
   */
  Claim question() {
    return question;
  }

  /**
   * Has another bucket asked from now on. In a cluster that one may be on another master, which may
   * answer where the first one's is away.
   */
  synchronized void askElsewhere() {
    question = question(++asked);
  }

  /** Notes the answer to {@link #question}: it was made between two times of this node. */
  void learn(Grant answer, long sentAt, long now) {
    if (answer.isOfOtherWindow()) {
      ahead = answer.storeClock() - (sentAt + (now - sentAt) / 2);
      error = (now - sentAt + 1) / 2;
    }
    isKnown = true; // a store that doesn't say has this node's time
  }

  /** Returns whether the store was asked: a debt with a wrong end may be ignored. */
  boolean isKnown() {
    return isKnown;
  }

  /** Returns the store's time at a time of this node, which errs by half of the way at most. */
  long of(long micros) {
    return NodeClock.after(micros, ahead);
  }

  /** Returns the latest that the store's time may be at a time of this node. */
  long latest(long micros) {
    return NodeClock.after(of(micros), error);
  }
}
