package io.weir.internal.rules.assembly;

import io.weir.internal.rules.duties.Duties;
import io.weir.internal.rules.duties.Retention;
import io.weir.internal.rules.usage.UsageWriter;
import java.time.Duration;

/**
 * What is written of requests, and how long it is kept.
 *
 * @param isOn whether usage and violations are
 * @param interval how long after a write the next one begins
 * @param retention how long what is kept
 * @param hold how long a node has the duty after it has renewed it
 */
public record UsageOptions(boolean isOn, Duration interval, Retention retention, Duration hold) {
  /** The shortest time between two writes. */
  public static final Duration MIN_INTERVAL = Duration.ofMillis(100);

  /** The longest time between two writes. */
  public static final Duration MAX_INTERVAL = Duration.ofMinutes(1);

  /** What is written unless set. */
  public static final UsageOptions USUAL =
      new UsageOptions(true, UsageWriter.USUAL_INTERVAL, Retention.USUAL, Duties.USUAL_HOLD);

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the interval is out of range
   */
  public UsageOptions {
    if (interval.compareTo(MIN_INTERVAL) < 0 || interval.compareTo(MAX_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          "the interval of usage must be 100 ms to 1 minute, not " + interval);
    }
  }

  /**
   * The same, written or not.
   *
   * @param wanted whether usage and violations are
   * @return a copy
   */
  public UsageOptions on(boolean wanted) {
    return new UsageOptions(wanted, interval, retention, hold);
  }
}
