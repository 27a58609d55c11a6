package io.weir.internal.rules.whatif;

import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Finds the windows that a lump of time, an hour or a day, touches: one, or two if one begins
 * within it. Windows aren't shorter than lumps, and have numbers that grow with time.
 */
interface FixedWindows {
  /**
   * Returns the window that contains the first instant of a lump, by its number since the epoch.
   */
  long first(long lump);

  /** Returns the window that contains the last instant of a lump, by its number since the epoch. */
  long last(long lump);

  /** Finds windows of one length, at multiples of it since the epoch. */
  static FixedWindows of(Duration length, long lumpSeconds) {
    long seconds = length.toSeconds();
    return new FixedWindows() {
      @Override
      public long first(long lump) {
        return Math.floorDiv(lump * lumpSeconds, seconds);
      }

      @Override
      public long last(long lump) {
        return Math.floorDiv((lump + 1) * lumpSeconds - 1, seconds);
      }
    };
  }

  /** Finds windows of the calendar, by their beginnings. */
  static FixedWindows of(CalendarWindow calendar, long lumpSeconds) {
    return new FixedWindows() {
      @Override
      public long first(long lump) {
        return calendar.begin(TimeUnit.SECONDS.toMicros(lump * lumpSeconds));
      }

      @Override
      public long last(long lump) {
        return calendar.begin(TimeUnit.SECONDS.toMicros((lump + 1) * lumpSeconds) - 1);
      }
    };
  }
}
