package io.weir;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The source of time: Weir reads clocks only through it, so tests can give their own.
 *
 * <p>Safe for concurrent use.
 */
public interface Ticker {
  /**
   * Returns a monotonic time, meaningful only as a difference to another one of the same ticker.
   *
   * @return nanoseconds since an arbitrary origin; never decreases
   */
  long nanoTime();

  /**
   * Returns the time of day.
   *
   * @return microseconds since 1970-01-01T00:00Z; may jump when the clock is set
   */
  long epochMicros();

  /**
   * Returns the time of day as an instant, to the microsecond.
   *
   * @return {@link #epochMicros} as an instant
   */
  default Instant instant() {
    return Instant.EPOCH.plus(epochMicros(), ChronoUnit.MICROS);
  }

  /**
   * Returns the ticker of the machine's clocks, which is the default everywhere.
   *
   * @return the system's ticker
   */
  static Ticker system() {
    return SystemTicker.INSTANCE;
  }
}
