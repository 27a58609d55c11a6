package io.weir.internal.rules.outcomes;

import io.weir.rules.outcome.OutcomeRates;

/**
 * Counts decisions by outcome. Immutable.
 *
 * @param admitted admitted within the limit
 * @param soft admitted beyond the limit
 * @param shadowRefused admitted only because of the shadow mode
 * @param degraded of all of these, those decided without the store
 */
public record OutcomeSums(
    long admitted, long refused, long soft, long shadowRefused, long degraded) {
  public static final OutcomeSums NONE = new OutcomeSums(0, 0, 0, 0, 0);

  private static final double MILLIS_A_SECOND = 1_000;

  public long decisions() {
    return admitted + refused + soft + shadowRefused;
  }

  public OutcomeSums plus(OutcomeSums other) {
    return new OutcomeSums(
        admitted + other.admitted,
        refused + other.refused,
        soft + other.soft,
        shadowRefused + other.shadowRefused,
        degraded + other.degraded);
  }

  /** Subtracts earlier counts of the same decisions. */
  OutcomeSums minus(OutcomeSums earlier) {
    return new OutcomeSums(
        admitted - earlier.admitted,
        refused - earlier.refused,
        soft - earlier.soft,
        shadowRefused - earlier.shadowRefused,
        degraded - earlier.degraded);
  }

  /**
   * Converts counts of an interval to rates.
   *
   * @param millis the length of the interval, more than 0
   * @return per second
   */
  public OutcomeRates perSecond(long millis) {
    double seconds = millis / MILLIS_A_SECOND;
    return new OutcomeRates(
        admitted / seconds,
        refused / seconds,
        soft / seconds,
        shadowRefused / seconds,
        degraded / seconds);
  }
}
