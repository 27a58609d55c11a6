package io.weir.internal.rules.rulebook;

/**
 * A caller of one request, as far as its limits depend on it.
 *
 * @param isTierGiven whether the application named the tier or gave the caller a limit
 * @param isLimitGiven whether the application gave the caller a limit
 * @param isEvaluated whether rules only measure it
 */
public record LimitedCaller(
    String tier, boolean isTierGiven, boolean isLimitGiven, OwnLimits own, boolean isEvaluated) {

  /** Returns a caller that isn't under evaluation, of a tier that the application didn't name. */
  public static LimitedCaller of(String tier, OwnLimits own) {
    return new LimitedCaller(tier, false, false, own, false);
  }
}
