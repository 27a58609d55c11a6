package io.weir.rules.tier;

import java.util.List;

/**
 * Describes a tier that a user has or may ask for, with the limits that the user would have there.
 *
 * <p>Immutable.
 *
 * @param tier the tier's name
 * @param isCurrent whether it is the user's tier now
 * @param limits its limits, which the user's own limits replace; by endpoint and window
 */
public record TierOffer(String tier, boolean isCurrent, List<Limit> limits) {
  /** Copies the limits. */
  public TierOffer {
    limits = List.copyOf(limits);
  }

  /**
   * Describes a limit of a tier.
   *
   * @param endpoint the pattern of the rule; {@code policy:} and the name for an annotated policy
   * @param limit permits per window
   * @param window as rules write it: {@code 60s}, {@code 1 MONTH}, {@code QUOTA}
   */
  public record Limit(String endpoint, long limit, String window) {}
}
