package io.weir;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A source of time: the one seam through which Weir reads a clock.
 *
 * <p>Safe for concurrent use. Tests bring their own and turn the hands themselves.
 */
public interface Ticker {
  /**
   * A monotonic time, of use only as a difference from another of the same ticker.
   *
   * @return nanoseconds since an arbitrary origin; never runs back
   */
  long nanoTime();

  /**
   * The time of day.
   *
   * @return microseconds since 1970-01-01T00:00Z; may jump when somebody sets the clock
   */
  long epochMicros();

  /**
   * The time of day as an instant, to the microsecond.
   *
   * @return {@link #epochMicros} as an instant
   */
  default Instant instant() {
    return Instant.EPOCH.plus(epochMicros(), ChronoUnit.MICROS);
  }

  /**
   * The machine's clocks.
   *
   * @return the ticker that everything uses unless told otherwise
   */
  static Ticker system() {
    return SystemTicker.INSTANCE;
  }
}
