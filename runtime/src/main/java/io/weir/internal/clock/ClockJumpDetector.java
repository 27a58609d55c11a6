package io.weir.internal.clock;

import java.time.Duration;
import java.util.Locale;

/**
 * Detects jumps of a clock by comparing it with one that runs evenly, and logs them: once, and
 * again only after the clock has run evenly for ten minutes.
 *
 * <p>Safe for concurrent use.
 */
public final class ClockJumpDetector {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final long SECOND = 1_000_000;
  private static final long CALM = Duration.ofMinutes(10).toSeconds() * SECOND;

  /** As a fraction of the time that passes: 0.1 %, more than any clock has. */
  private static final int DRIFT = 1_000;

  private final String whose;
  private final String consequence;
  private boolean started;
  private boolean warned;
  private long clock;
  private long earliest;
  private long latest;
  private long jumpedAt;

  /**
   * Starts without a reading.
   *
   * @param whose begins the log line, such as "The clock of this node"
   * @param consequence ends it: the effect and the remedy
   */
  public ClockJumpDetector(String whose, String consequence) {
    this.whose = whose;
    this.consequence = consequence;
  }

  /** Starts without a reading of the clock by which a store counts. */
  public static ClockJumpDetector ofStore(String store) {
    return new ClockJumpDetector(
        "The clock of " + store,
        "limits are counted by it, so callers may have waited too long, or not long enough."
            + " Set it gradually, with chrony or ntpd, on all its servers: one with a different time"
            + " may have taken over");
  }

  /**
   * Records a reading of the clock; call it every few seconds. Jumps of less than a second are
   * ignored.
   *
   * @param before the even clock's reading before that, in microseconds as all readings
   * @param after the even clock's reading after that
   */
  public synchronized void record(long micros, long before, long after) {
    if (started) {
      compare(micros - clock, before - latest, after - earliest, after);
    }
    started = true;
    clock = micros;
    earliest = before;
    latest = after;
  }

  /**
   * Compares with the even clock, which has advanced by something between the least and the most.
   */
  private void compare(long advance, long least, long most, long now) {
    long tolerance = SECOND + most / DRIFT;
    long ahead = advance - most;
    long back = least - advance;
    if (ahead > tolerance) {
      jumped("ahead", ahead, now);
    } else if (back > tolerance) {
      jumped("back", back, now);
    }
  }

  private void jumped(String where, long by, long now) {
    if (!warned || now - jumpedAt >= CALM) {
      String seconds = String.format(Locale.ROOT, "%.1f s", by / (double) SECOND);
      LOG.log(
          System.Logger.Level.WARNING,
          whose + " jumped " + where + " by " + seconds + ": " + consequence);
    }
    warned = true;
    jumpedAt = now;
  }
}
