package io.weir.internal.rules.whatif;

import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * Finds the windows that a lump of time, an hour or a day, touches: one, or two if one begins
 * within it. Windows aren't shorter than lumps, begin at whole seconds, and have numbers that grow
 * with time.
 *
 * @param window returns the number of the window of a second since the epoch
 */
record FixedWindows(LongUnaryOperator window, long lumpSeconds) {
  /** Finds windows of one length, at multiples of it since the epoch. */
  static FixedWindows of(Duration length, long lumpSeconds) {
    long seconds = length.toSeconds();
    return new FixedWindows(second -> Math.floorDiv(second, seconds), lumpSeconds);
  }

  /** Finds windows of the calendar, by their beginnings. */
  static FixedWindows of(CalendarWindow calendar, long lumpSeconds) {
    return new FixedWindows(
        second -> calendar.begin(TimeUnit.SECONDS.toMicros(second)), lumpSeconds);
  }

  /** Returns the window of the first second of a lump. */
  long first(long lump) {
    return window.applyAsLong(lump * lumpSeconds);
  }

  /** Returns the window of the last second of a lump. */
  long last(long lump) {
    return window.applyAsLong((lump + 1) * lumpSeconds - 1);
  }
}
