package io.weir.internal.inprocess;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import java.util.Optional;

/**
 * Divides time for a sketch of a window algorithm: into the fixed windows themselves, or quarters
 * of a sliding one.
 *
 * <p>An interval of a sliding window's length touches five quarters. The sum of the quarter in
 * which its last permit was granted and of the four before is within the limit; so the interval is
 * too.
 *
 * <p>Immutable.
 */
final class SketchTimeSlots {
  private static final int QUARTERS = 4;

  private final Optional<CalendarWindow> calendar;
  private final long length;

  /** The number of slots before the running one that count. */
  private final int before;

  SketchTimeSlots(BucketSpec spec) {
    boolean fixed = spec.algorithm() == Algorithm.FIXED_WINDOW;
    long window = spec.windowMicros();
    calendar = spec.calendar();
    before = fixed ? 0 : QUARTERS;
    length = fixed ? window : (window + QUARTERS - 1) / QUARTERS;
  }

  int before() {
    return before;
  }

  /** Returns the slot of a time: its number, or the beginning of the window of the calendar. */
  long at(long micros) {
    return calendar.isPresent()
        ? Math.max(0, calendar.get().opens(micros))
        : Math.floorDiv(micros, length);
  }

  /** Returns when charges to a slot no longer count; by the calendar only for the running one. */
  long end(long slot, long now) {
    return calendar.isPresent() ? calendar.get().closes(now) : (slot + before + 1) * length;
  }

  /** Returns the last moment of a slot before the running one. */
  long last(long slot) {
    return (slot + 1) * length - 1;
  }
}
