package io.weir.internal.rules.callers;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.quotas.QuotaAccount;
import io.weir.rules.tier.UserTier;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the rows of users in the calling thread. Throws if the database is unavailable. Safe for
 * concurrent use.
 */
@FunctionalInterface
public interface CallerRowReader {
  int MAX_USERS = RuleDatabase.MAX_USERS;

  /**
   * Reads the tiers of users.
   *
   * @param userIds at most {@link #MAX_USERS}
   * @return the rows by user, without those that are missing or can't be read
   */
  Map<String, UserTier> read(Collection<String> userIds);

  /**
   * Reads the tiers of users, as many as fit into memory together.
   *
   * @param userIds at most {@link #MAX_USERS}
   * @return their tiers, and the users that weren't read
   */
  default ReadUsers readSome(Collection<String> userIds) {
    return new ReadUsers(read(userIds), Set.of());
  }

  /** Returns whether there is a table of users that Weir didn't make. */
  default boolean hasForeign() {
    return false;
  }

  /**
   * Reads the rows of users in a table that Weir didn't make. Throws nothing.
   *
   * @param userIds at most {@link #MAX_USERS}
   * @param isLookUp whether their problems are reported; false for rows that are read each second
   * @return the rows by user; empty if the table can't be read now
   */
  default Optional<ForeignUsers> foreign(Collection<String> userIds, boolean isLookUp) {
    return Optional.of(ForeignUsers.NONE);
  }

  /**
   * Reads the accounts of users' quotas.
   *
   * @param userIds at most {@link #MAX_USERS}
   * @return the accounts by user; empty if no rule counts in quotas
   */
  default Map<String, QuotaAccount> quotas(Collection<String> userIds) {
    return Map.of();
  }

  /**
   * Reads the tiers of users that are cached, to compare them.
   *
   * @param userIds at most {@link #MAX_USERS}
   * @return the rows by user, without those that are missing; empty for one that can't be used, or
   *     wasn't read, for memory
   */
  default Map<String, Optional<UserTier>> readAgain(Collection<String> userIds) {
    Map<String, Optional<UserTier>> rows = new HashMap<>();
    read(userIds).forEach((userId, row) -> rows.put(userId, Optional.of(row)));
    return rows;
  }
}
