package io.weir.internal.rules.assembly;

import io.weir.internal.rules.callers.CallerRowReader;
import io.weir.internal.rules.callers.ForeignUsers;
import io.weir.internal.rules.callers.ReadUsers;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.UserRows;
import io.weir.internal.rules.edit.RowHistoryReader;
import io.weir.internal.rules.edit.StoredRowReader;
import io.weir.internal.rules.feed.CurrentRulebook;
import io.weir.internal.rules.foreign.ForeignTables;
import io.weir.internal.rules.quotas.QuotaAccount;
import io.weir.internal.rules.quotas.QuotaAccountReader;
import io.weir.internal.rules.rulebook.column.UserColumns;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.tier.UserTier;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the rows of users. A row that can't be used counts as its last good version, and is
 * reported by digest.
 *
 * <p>Safe for concurrent use.
 */
final class UserReader implements CallerRowReader {
  /** Keeps the problems of foreign rows apart from those of Weir's own. */
  private static final String FOREIGN = "foreign ";

  private final RuleDatabase database;
  private final CurrentRulebook current;
  private final QuotaAccountReader accounts;
  private final UserProblems problems;
  private final ForeignTables foreign;

  UserReader(
      RuleDatabase database,
      CurrentRulebook current,
      QuotaAccountReader accounts,
      UserProblems problems,
      ForeignTables foreign) {
    this.foreign = foreign;
    this.database = database;
    this.current = current;
    this.accounts = accounts;
    this.problems = problems;
  }

  @Override
  public Map<String, UserTier> read(Collection<String> userIds) {
    Map<String, UserTier> users = new HashMap<>();
    Collection<String> left = userIds;
    while (!left.isEmpty()) {
      ReadUsers some = readSome(left);
      users.putAll(some.rows());
      left = some.left();
    }
    return users;
  }

  @Override
  public ReadUsers readSome(Collection<String> userIds) {
    UserRows rows = database.tiersOf(userIds);
    Map<String, UserTier> users = new HashMap<>();
    rows.rows().forEach(row -> put(row, users));
    return new ReadUsers(users, left(userIds, rows));
  }

  /** Returns the users that may have a row which wasn't read. */
  private static Set<String> left(Collection<String> userIds, UserRows rows) {
    if (rows.isAll()) {
      return Set.of();
    }
    Set<String> left = new HashSet<>(userIds);
    rows.rows().forEach(each -> left.remove(each.key()));
    return left;
  }

  @Override
  public Map<String, Optional<UserTier>> readAgain(Collection<String> userIds) {
    Map<String, Optional<UserTier>> users = new HashMap<>();
    UserRows rows = database.tiersOf(userIds);
    rows.rows().forEach(row -> users.put(row.key(), usable(row)));
    left(userIds, rows).forEach(each -> users.put(each, Optional.empty())); // in another round
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

  @Override
  public boolean hasForeign() {
    return foreign.hasFound(RuleTable.USERS);
  }

  @Override
  public Optional<ForeignUsers> foreign(Collection<String> userIds, boolean isLookUp) {
    Optional<List<StoredRow>> rows;
    try {
      rows = foreign.ofUsers(userIds);
    } catch (RuntimeException away) {
      return Optional.empty();
    }
    Map<String, UserTier> users = new HashMap<>();
    Set<String> unusable = new HashSet<>();
    rows.orElse(List.of()).forEach(row -> put(row, isLookUp, users, unusable));
    return rows.map(any -> new ForeignUsers(users, unusable));
  }

  private void put(
      StoredRow row, boolean isLookUp, Map<String, UserTier> users, Set<String> unusable) {
    String name = FOREIGN + row.key();
    try {
      UserColumns.Read read = StoredRowReader.read(row, UserColumns::read);
      if (isLookUp) {
        problems.replace(name, read.problems(), Optional.of(read.user()));
      }
      users.put(row.key(), read.user());
    } catch (InvalidRuleException bad) {
      problems.replace(name, bad.problems(), Optional.empty());
      unusable.add(row.key());
    }
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
