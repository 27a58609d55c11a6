package io.weir.internal.rules.callers;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.quotas.QuotaAccount;
import io.weir.rules.tier.UserTier;
import java.util.Collection;
import java.util.Map;

/**
 * Reads the rows of users, in the thread of the caller; may take its time, and throws where the
 * database can't be reached. Safe for concurrent use.
 */
@FunctionalInterface
public interface CallerRowReader {
  /** How many users one look-up may name. */
  int MOST = RuleDatabase.MOST_USERS;

  /**
   * Reads rows.
   *
   * @param userIds at most {@link #MOST}
   * @return by user; who has no row, or one that can't be read, isn't there
   */
  Map<String, UserTier> read(Collection<String> userIds);

  /**
   * Reads what the database has of quotas.
   *
   * @param userIds at most {@link #MOST}
   * @return by user; nobody if no rule counts in quotas
   */
  default Map<String, QuotaAccount> quotas(Collection<String> userIds) {
    return Map.of();
  }
}
