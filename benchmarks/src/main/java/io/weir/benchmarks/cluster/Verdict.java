package io.weir.benchmarks.cluster;

import io.weir.benchmarks.Figure;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

/**
 * The evaluation of the results of a load.
 *
 * <p>Immutable.
 *
 * @param tally the results
 * @param excess what the worst window has beyond the limit, of what was admitted with the store
 * @param unplaced how many of these have a mark that names no window that they touch
 * @param all the same with what nodes admitted by themselves, when the store didn't answer in time
 * @param beyondBucket what the worst interval has beyond what a token bucket promises
 * @param used how much of the limit each full window had, in percent
 */
record Verdict(
    LoadResult tally,
    LimitOracle.Excess excess,
    long unplaced,
    LimitOracle.Excess all,
    double beyondBucket,
    List<Double> used) {
  static final List<String> COLUMNS =
      List.of(
          "cluster",
          "limit",
          "decisions",
          "offered",
          "beyond the limit",
          "at most",
          "of no window",
          "with degraded",
          "used",
          "windows",
          "exchanges a decision",
          "told afterwards",
          "degraded",
          "median µs",
          "p99 µs");

  /** A clock that counts milliseconds. */
  private static final long GRAIN = 1_000;

  private static final double MIN_OFFERED = 2.5;

  static Verdict of(LoadResult tally, boolean marked) {
    if (tally.offered() < MIN_OFFERED || tally.admissions().count() == 0) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "offered only %.2f times %s", tally.offered(), tally.limit()));
    }
    LimitOracle oracle = new LimitOracle(tally.admissions(), tally.limit(), marked);
    LimitOracle promised = new LimitOracle(tally.withStore(), tally.limit(), marked);
    return new Verdict(
        tally,
        promised.excess(),
        promised.unplaced(),
        oracle.excess(),
        oracle.beyondBucket(GRAIN),
        oracle.used(tally.from(), tally.to()));
  }

  /** Returns the average of all windows, with the worst and the best. */
  Figure used(String name) {
    DoubleSummaryStatistics all = used.stream().mapToDouble(each -> each).summaryStatistics();
    return new Figure(name, all.getAverage(), "percent", all.getMin(), all.getMax());
  }

  double exchangesPerDecision() {
    return (double) tally.exchanges() / tally.decisions();
  }

  List<String> row(String cluster) {
    Figure windows = used("any.name");
    return List.of(
        cluster,
        tally.limit().toString(),
        String.format(Locale.ROOT, "%,d", tally.decisions()),
        decimal("%.2f ×", tally.offered()),
        decimal("%.2f %%", excess.percent()),
        decimal("%.2f %%", excess.atMost()),
        "" + unplaced,
        decimal("%.2f %%", all.percent()),
        decimal("%.2f %%", windows.value()),
        "" + used.size(),
        decimal("%.4f", exchangesPerDecision()),
        "" + tally.ahead(),
        "" + tally.degraded(),
        "" + tally.waits().median(),
        "" + tally.waits().p99());
  }

  private static String decimal(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
