package io.weir.internal.writeback.channel;

import io.weir.internal.writeback.clock.NodeClock;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.Optional;

/**
 * What a node believes to be the time of day in one partition of the store: by its own clock at
 * first, later by what an answer told. Claims on windows of the calendar name the window that is
 * running then.
 *
 * <p>If the belief is wrong, the store says so and tells its time; so a clock that is set wrong
 * costs the node one exchange, not one a bucket. It is also what makes the belief right again if
 * the two clocks drift apart over months.
 *
 * <p>Safe for concurrent use.
 */
public final class StoreTime {
  private final NodeClock clock;
  private volatile long ahead;

  /** Begins with the time of day of this node. */
  StoreTime(NodeClock clock) {
    this.clock = clock;
    this.ahead = clock.epochMicros() - clock.micros();
  }

  /** The claim as it is to be sent: with the window that is running, if it is one of a calendar. */
  Claim named(Claim claim) {
    Optional<CalendarWindow> calendar = claim.bucket().spec().calendar();
    if (calendar.isEmpty()) {
      return claim;
    }
    long now = Math.max(0, clock.micros() + ahead);
    return claim.inWindow(Math.max(0, calendar.get().opens(now)), calendar.get().closes(now));
  }

  /** Notes what the store's clock said a moment ago. */
  void learn(Grant answer) {
    ahead = answer.storeClock() - clock.micros();
  }
}
