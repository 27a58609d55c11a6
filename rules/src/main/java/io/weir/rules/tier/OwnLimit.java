package io.weir.rules.tier;

import io.weir.Policy;
import java.time.Duration;
import java.util.Optional;

/**
 * A limit of one user's own, in place of what the tier says: one entry of {@code custom_limits}.
 *
 * @param rule the name or pattern of rules of the tier, or {@code policy:NAME}
 * @param limit permits per window, 1 to 1,000,000,000
 * @param window picks one of several rules with that pattern; one that none has makes a rule of its
 *     own for this user. Nothing: all of them
 */
public record OwnLimit(String rule, long limit, Optional<Duration> window) {
  /**
   * Checks the limit.
   *
   * @param rule see the record
   * @param limit see the record
   * @param window see the record
   * @throws IllegalArgumentException if the limit is out of range
   */
  public OwnLimit {
    if (limit < 1 || limit > Policy.MAX_LIMIT) {
      throw new IllegalArgumentException("limit must be 1 to 1,000,000,000, not " + limit);
    }
  }
}
