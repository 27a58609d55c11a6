package io.weir.internal.rules.callers;

import io.weir.rules.tier.UserTier;
import java.util.Map;
import java.util.Set;

/**
 * The tiers of some users.
 *
 * @param rows the rows by user, without those that are missing or can't be read
 * @param left the users that weren't read, for memory; never all
 */
public record ReadUsers(Map<String, UserTier> rows, Set<String> left) {
  public ReadUsers {
    rows = Map.copyOf(rows);
    left = Set.copyOf(left);
  }
}
