package io.weir.internal.rules.edit;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.UserColumns;
import io.weir.rules.RuleProblem;
import io.weir.rules.UserTier;
import io.weir.rules.UserTierRepository;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The rows of {@code user_tiers}, checked against the rulebook in force. */
public final class StoredUsers implements UserTierRepository {
  private final VersionedRows rows;
  private final Function<UserTier, List<RuleProblem>> checks;

  /**
   * Opens the users.
   *
   * @param rows the rows
   * @param checks what is wrong with the tier and own limits of a user
   */
  public StoredUsers(VersionedRows rows, Function<UserTier, List<RuleProblem>> checks) {
    this.rows = rows;
    this.checks = checks;
  }

  @Override
  public Optional<UserTier> find(String userId) {
    return rows.find(RuleTable.USERS, userId)
        .flatMap(row -> ReadableRows.value(row, UserColumns::read))
        .map(UserColumns.Read::user);
  }

  @Override
  public UserTier save(UserTier user, String author) {
    ReadableRows.refuse(checks.apply(user));
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
