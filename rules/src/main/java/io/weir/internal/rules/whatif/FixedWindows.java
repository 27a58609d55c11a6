package io.weir.internal.rules.whatif;

import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The windows, of an hour or longer, that an hour touches: one, or two if one begins within it.
 * Windows have numbers that grow with time.
 */
interface FixedWindows {
  /** The window that contains the first instant of an hour since the epoch. */
  long first(long hour);

  /** The window that contains the last instant of an hour since the epoch. */
  long last(long hour);

  /** Windows of one length, at multiples of it since the epoch. */
  static FixedWindows of(Duration length) {
    long seconds = length.toSeconds();
    return new FixedWindows() {
      @Override
      public long first(long hour) {
        return Math.floorDiv(TimeUnit.HOURS.toSeconds(hour), seconds);
      }

      @Override
      public long last(long hour) {
        return Math.floorDiv(TimeUnit.HOURS.toSeconds(hour + 1) - 1, seconds);
      }
    };
  }

  /** Windows of the calendar, by their beginnings. */
  static FixedWindows of(CalendarWindow calendar) {
    return new FixedWindows() {
      @Override
      public long first(long hour) {
        return calendar.begin(TimeUnit.HOURS.toMicros(hour));
      }

      @Override
      public long last(long hour) {
        return calendar.begin(TimeUnit.HOURS.toMicros(hour + 1) - 1);
      }
    };
  }
}
