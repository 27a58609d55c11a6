package io.weir.rules.outcome;

/**
 * Counts decisions of policies per second, by outcome. A request that three policies decided counts
 * three times; of a refused request only the policies that refused it count.
 *
 * @param admitted admitted within the limit; 0 and more, like all of these
 * @param refused refused
 * @param soft admitted beyond the limit by a policy that is {@code SOFT} or {@code ELASTIC}
 * @param shadowRefused admitted only because the policy is in shadow mode
 * @param degraded of all of these, those decided without the store
 */
public record OutcomeRates(
    double admitted, double refused, double soft, double shadowRefused, double degraded) {
  /** No decisions. */
  public static final OutcomeRates NONE = new OutcomeRates(0, 0, 0, 0, 0);

  /**
   * Returns all decisions per second.
   *
   * @return 0 and more
   */
  public double decisions() {
    return admitted + refused + soft + shadowRefused;
  }

  /**
   * Adds two rates.
   *
   * @param other the other rates
   * @return the sums
   */
  public OutcomeRates plus(OutcomeRates other) {
    return new OutcomeRates(
        admitted + other.admitted,
        refused + other.refused,
        soft + other.soft,
        shadowRefused + other.shadowRefused,
        degraded + other.degraded);
  }
}
