package io.weir.internal.writeback.channel;

import io.weir.internal.clock.NodeClock;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.Optional;

/**
 * Estimates the time of day in one partition of the store: by the node's own clock at first, later
 * by the store's answers. Claims on windows of the calendar name the window that is running then.
 *
 * <p>If the estimate is wrong, the store says so and returns its time; so a wrong clock costs the
 * node one exchange, not one per bucket. This also corrects the estimate when the two clocks drift
 * apart over months.
 *
 * <p>Safe for concurrent use.
 */
public final class StoreTimeEstimate {
  private final NodeClock clock;
  private volatile long ahead;

  StoreTimeEstimate(NodeClock clock) {
    this.clock = clock;
    this.ahead = clock.epochMicros() - clock.micros();
  }

  /** Adds the running window to a claim of a calendar. */
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
