package io.weir.internal.inprocess;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import java.util.Optional;

/**
 * The pieces of time by which a sketch counts the buckets of a window algorithm: the fixed window
 * itself, or quarters of a sliding one.
 *
 * <p>An interval of a sliding window's length touches five quarters. Of those that the last permit
 * in it was granted in and the four before, the sum is within the limit; so it is in the interval.
 *
 * <p>Immutable.
 */
final class SketchSlots {
  private static final int QUARTERS = 4;

  private final Optional<CalendarWindow> calendar;
  private final long length;

  /** The number of slots before the running one that count. */
  private final int before;

  SketchSlots(BucketSpec spec) {
    boolean fixed = spec.algorithm() == Algorithm.FIXED_WINDOW;
    long window = spec.windowMicros();
    calendar = spec.calendar();
    before = fixed ? 0 : QUARTERS;
    length = fixed ? window : (window + QUARTERS - 1) / QUARTERS;
  }

  int before() {
    return before;
  }

  /** The slot of a time: its number, or when the window of the calendar began. */
  long at(long micros) {
    return calendar.isPresent()
        ? Math.max(0, calendar.get().opens(micros))
        : Math.floorDiv(micros, length);
  }

  /** From when on what is charged to the slot, as running now, no longer counts. */
  long end(long slot, long now) {
    return calendar.isPresent() ? calendar.get().closes(now) : (slot + before + 1) * length;
  }
}
