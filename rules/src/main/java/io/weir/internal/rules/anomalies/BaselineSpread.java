package io.weir.internal.rules.anomalies;

/**
 * Measures how far the minutes of a baseline are spread, in steps of a histogram: by their median
 * distance from the median, which past surges don't move. It is at least the largest of these:
 *
 * <ul>
 *   <li>an octave: less than four times as many requests as usual is no anomaly;
 *   <li>the deviation that chance alone makes of few requests;
 *   <li>how far the busiest minutes lie above the median, since a caller may be busy for a few
 *       hours or minutes only.
 * </ul>
 *
 * <p>Until a whole day's minutes are known, this minimum is up to three times as high, since the
 * caller may behave differently by day and by night.
 */
final class BaselineSpread {
  /** Makes a median distance comparable to a standard deviation. */
  private static final double NORMAL = 1.4826;

  private static final double OCTAVE = 4;

  /** One minute in a hundred is busier. */
  private static final double BUSY = 0.99;

  /** The score of such a minute, at most. */
  private static final double SCORE_OF_BUSY = 1.75;

  private static final double MINUTES_A_DAY = 1_440;

  private BaselineSpread() {}

  static double of(RequestCountHistogram usual, int median) {
    double chance =
        RequestCountHistogram.position(1 + 1 / Math.sqrt(RequestCountHistogram.requests(median)));
    double busy = (usual.quantile(BUSY) - median) / SCORE_OF_BUSY;
    double floor = Math.max(OCTAVE, Math.max(chance, busy));
    double unknown = Math.max(0, 1 - usual.samples() / MINUTES_A_DAY);
    return Math.max(NORMAL * usual.medianDistance(median), floor * (1 + 2 * unknown));
  }
}
