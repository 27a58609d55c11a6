package io.weir.internal.clock;

import java.time.Duration;
import java.util.Locale;

/**
 * Notices that a clock jumps, by one that runs evenly beside it, and says so in the log: once, and
 * again only if it has run evenly for ten minutes in between.
 *
 * <p>Safe for concurrent use.
 */
public final class ClockJumpDetector {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final long SECOND = 1_000_000;
  private static final long CALM = Duration.ofMinutes(10).toSeconds() * SECOND;

  /** Clocks may differ by so small a part of the time that passes: 0.1 %, more than any does. */
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
   * Hasn't seen the clock yet.
   *
   * @param whose begins the sentence of the log, "The clock of this node" say
   * @param consequence ends it: what it means and what mends it
   */
  public ClockJumpDetector(String whose, String consequence) {
    this.whose = whose;
    this.consequence = consequence;
  }

  /**
   * Looks at the clock; to be called every few seconds. Jumps of less than a second are none.
   *
   * @param micros what it said
   * @param before what the even one said in microseconds before it was read
   * @param after what the even one said afterwards
   */
  public synchronized void look(long micros, long before, long after) {
    if (started) {
      compare(micros - clock, before - latest, after - earliest, after);
    }
    started = true;
    clock = micros;
    earliest = before;
    latest = after;
  }

  /** The even clock has advanced by something between the least and the most. */
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
