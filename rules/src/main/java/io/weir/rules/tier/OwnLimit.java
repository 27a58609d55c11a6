package io.weir.rules.tier;

import io.weir.Policy;
import java.time.Duration;
import java.util.Optional;

/**
 * Limits one user instead of the user's tier: one entry of {@code custom_limits}.
 *
 * @param rule the name or pattern of rules of the tier, or {@code policy:NAME}
 * @param limit permits per window, 1 to 1,000,000,000
 * @param window selects one of several rules with that pattern; if none has it, this is a further
 *     rule for this user. Empty for all of them
 */
public record OwnLimit(String rule, long limit, Optional<Duration> window) {
  /**
   * Checks the limit.
   *
   * @param rule the name or pattern of rules of the tier
   * @param limit permits per window
   * @param window selects one of several rules with that pattern
   * @throws IllegalArgumentException if the limit is out of range
   */
  public OwnLimit {
    if (limit < 1 || limit > Policy.MAX_LIMIT) {
      throw new IllegalArgumentException("limit must be 1 to 1,000,000,000, not " + limit);
    }
  }
}
