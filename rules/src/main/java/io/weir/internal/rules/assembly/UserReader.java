package io.weir.internal.rules.assembly;

import io.weir.internal.rules.callers.UserRows;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.edit.PastRows;
import io.weir.internal.rules.edit.ReadableRows;
import io.weir.internal.rules.feed.CurrentRulebook;
import io.weir.internal.rules.rulebook.UserColumns;
import io.weir.rules.InvalidRuleException;
import io.weir.rules.RuleProblem;
import io.weir.rules.UserTier;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads the rows of users. A row that can't be used counts as its last good version, and is told
 * once, by digest.
 *
 * <p>Safe for concurrent use.
 */
final class UserReader implements UserRows {
  private static final Logger LOG = System.getLogger("io.weir");

  /** Beyond that many, more bad rows say nothing new. */
  private static final int MOST_TOLD = 1_000;

  private final RuleDatabase database;
  private final CurrentRulebook current;
  private final Set<RuleProblem> told = ConcurrentHashMap.newKeySet();

  UserReader(RuleDatabase database, CurrentRulebook current) {
    this.database = database;
    this.current = current;
  }

  @Override
  public Map<String, UserTier> read(Collection<String> userIds) {
    Map<String, UserTier> users = new HashMap<>();
    database.ofUsers(RuleTable.USERS, userIds).forEach(row -> put(row, users));
    return users;
  }

  private void put(StoredRow row, Map<String, UserTier> users) {
    try {
      UserColumns.Read read = UserColumns.read(row);
      tell(read.problems());
      tell(current.get().check(read.user()));
      users.put(row.key(), read.user());
    } catch (InvalidRuleException bad) {
      tell(bad.problems());
      lastGood(row.key()).ifPresent(user -> users.put(row.key(), user));
    }
  }

  private Optional<UserTier> lastGood(String userId) {
    return ReadableRows.newest(
            PastRows.versions(database.changesOf(RuleTable.USERS.tableName(), userId)),
            UserColumns::read)
        .map(UserColumns.Read::user);
  }

  private void tell(List<RuleProblem> problems) {
    for (RuleProblem problem : problems) {
      if (told.size() < MOST_TOLD && told.add(problem)) {
        LOG.log(Level.WARNING, "rules: " + problem);
      }
    }
  }
}
