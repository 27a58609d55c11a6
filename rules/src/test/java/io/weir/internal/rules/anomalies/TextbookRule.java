package io.weir.internal.rules.anomalies;

/**
 * Scores by the rule of textbooks, for comparison with {@link Baseline}: an interval between two
 * requests is unusual if it lies some standard deviations away from the mean of all intervals,
 * itself among them.
 */
final class TextbookRule {
  private double last = Double.NaN;
  private long intervals;
  private double mean;
  private double squares;

  /**
   * Returns how far the interval before a request lies below the mean, in deviations; negative
   * above.
   *
   * @param time of the request, in seconds
   */
  double score(double time) {
    double interval = time - last;
    boolean isFirst = Double.isNaN(last);
    last = time;
    if (isFirst) {
      return 0;
    }
    intervals++;
    double from = interval - mean;
    mean += from / intervals;
    squares += from * (interval - mean);
    double deviation = Math.sqrt(squares / intervals);
    boolean isKnown = intervals >= Baseline.MIN_SAMPLES && deviation > 0;
    return isKnown ? (mean - interval) / deviation : 0;
  }
}
