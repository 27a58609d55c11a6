package io.weir.internal.rules.edit;

import io.weir.internal.rules.database.RowFilter;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.column.UserColumns;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.rules.tier.UserTierRepository;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The rows of {@code user_tiers}, checked against the rulebook in force. */
public final class StoredUsers implements UserTierRepository {
  private static final int MAX_USERS = 1_000;

  private final VersionedRowEditor rows;
  private final UsersWithOwnTerms ownTerms;
  private final Function<UserTier, List<RuleProblem>> checks;

  /**
   * Opens the users.
   *
   * @param ownTerms finds those with limits or quotas of their own
   */
  public StoredUsers(
      VersionedRowEditor rows,
      UsersWithOwnTerms ownTerms,
      Function<UserTier, List<RuleProblem>> checks) {
    this.rows = rows;
    this.ownTerms = ownTerms;
    this.checks = checks;
  }

  @Override
  public Optional<UserTier> find(String userId) {
    return rows.find(RuleTable.USERS, userId)
        .or(() -> rows.foreign().find(RuleTable.USERS, userId))
        .flatMap(row -> StoredRowReader.value(row, UserColumns::read))
        .map(UserColumns.Read::user);
  }

  @Override
  public Optional<UserTier> findForeign(String userId) {
    return rows.foreign()
        .find(RuleTable.USERS, userId)
        .flatMap(row -> StoredRowReader.value(row, UserColumns::read))
        .map(UserColumns.Read::user);
  }

  @Override
  public List<UserTier> list(
      Optional<String> tier, Optional<UserState> state, String after, int most) {
    checkMost(most);
    Map<String, String> equal = new HashMap<>();
    tier.ifPresent(each -> equal.put("tier", each));
    state.ifPresent(each -> equal.put("state", each.name()));
    Optional<String> beyond = after.isEmpty() ? Optional.empty() : Optional.of(after);
    RowFilter filter = new RowFilter(equal, UserState.ENFORCED.name(), beyond, false, most);
    return rows.some(RuleTable.USERS, filter).stream()
        .flatMap(row -> StoredRowReader.value(row, UserColumns::read).stream())
        .map(UserColumns.Read::user)
        .toList();
  }

  private static void checkMost(int most) {
    if (most < 1 || most > MAX_USERS) {
      throw new IllegalArgumentException("1 to 1,000 users can be read, not " + most);
    }
  }

  @Override
  public List<UserTier> listWithOwnTerms(Optional<String> tier, String after, int most) {
    checkMost(most);
    return ownTerms.list(tier, after, most);
  }

  @Override
  public List<RuleProblem> check(UserTier user) {
    return checks.apply(user);
  }

  @Override
  public UserTier save(UserTier user, String author) {
    StoredRowReader.refuse(check(user));
    Map<String, String> columns = UserColumns.write(user);
    StoredRow row =
        user.version() == 0
            ? rows.insert(RuleTable.USERS, columns, author)
            : rows.replace(RuleTable.USERS, user.userId(), user.version(), columns, author);
    return UserColumns.read(row).user();
  }

  @Override
  public void delete(String userId, long version, String author) {
    rows.delete(RuleTable.USERS, userId, version, author);
  }
}
