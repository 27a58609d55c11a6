package io.weir.internal.rules.assembly;

import io.weir.internal.rules.callers.CallerRowReader;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.edit.RowHistoryReader;
import io.weir.internal.rules.edit.StoredRowReader;
import io.weir.internal.rules.feed.CurrentRulebook;
import io.weir.internal.rules.quotas.QuotaAccount;
import io.weir.internal.rules.quotas.QuotaAccountReader;
import io.weir.internal.rules.rulebook.column.UserColumns;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.tier.UserTier;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the rows of users. A row that can't be used counts as its last good version, and is
 * reported by digest.
 *
 * <p>Safe for concurrent use.
 */
final class UserReader implements CallerRowReader {
  private final RuleDatabase database;
  private final CurrentRulebook current;
  private final QuotaAccountReader accounts;
  private final UserProblems problems;

  UserReader(
      RuleDatabase database,
      CurrentRulebook current,
      QuotaAccountReader accounts,
      UserProblems problems) {
    this.database = database;
    this.current = current;
    this.accounts = accounts;
    this.problems = problems;
  }

  @Override
  public Map<String, UserTier> read(Collection<String> userIds) {
    Map<String, UserTier> users = new HashMap<>();
    database.ofUsers(RuleTable.USERS, userIds).forEach(row -> put(row, users));
    return users;
  }

  @Override
  public Map<String, Optional<UserTier>> readAgain(Collection<String> userIds) {
    Map<String, Optional<UserTier>> users = new HashMap<>();
    for (StoredRow row : database.ofUsers(RuleTable.USERS, userIds)) {
      users.put(row.key(), usable(row));
    }
    return users;
  }

  private static Optional<UserTier> usable(StoredRow row) {
    try {
      return Optional.of(StoredRowReader.read(row, UserColumns::read).user());
    } catch (InvalidRuleException bad) {
      return Optional.empty(); // reported when its user was looked up
    }
  }

  @Override
  public Map<String, QuotaAccount> quotas(Collection<String> userIds) {
    return current.get().hasQuotas() ? accounts.read(userIds) : Map.of();
  }

  /** Reports the problems of a row that was written. */
  void check(StoredRow row) {
    put(row, new HashMap<>());
  }

  private void put(StoredRow row, Map<String, UserTier> users) {
    try {
      UserColumns.Read read = StoredRowReader.read(row, UserColumns::read);
      problems.replace(row.key(), read.problems(), Optional.of(read.user()));
      users.put(row.key(), read.user());
    } catch (InvalidRuleException bad) {
      problems.replace(row.key(), bad.problems(), Optional.empty());
      lastGood(row.key()).ifPresent(user -> users.put(row.key(), user));
    }
  }

  private Optional<UserTier> lastGood(String userId) {
    return StoredRowReader.newest(
            RowHistoryReader.versions(database.changesOf(RuleTable.USERS.tableName(), userId)),
            UserColumns::read)
        .map(UserColumns.Read::user);
  }
}
