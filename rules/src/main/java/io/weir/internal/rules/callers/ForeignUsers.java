package io.weir.internal.rules.callers;

import io.weir.rules.tier.UserTier;
import java.util.Map;
import java.util.Set;

/**
 * The rows of some users in a table that Weir didn't make.
 *
 * @param rows the rows that can be used, by user
 * @param unusable the users whose rows can't be used: what was known of them holds
 */
public record ForeignUsers(Map<String, UserTier> rows, Set<String> unusable) {
  public static final ForeignUsers NONE = new ForeignUsers(Map.of(), Set.of());

  public ForeignUsers {
    rows = Map.copyOf(rows);
    unusable = Set.copyOf(unusable);
  }
}
