package io.weir.internal.rules.edit;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.column.UserColumns;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Finds the users who have limits or a quota of their own, which a change of their tier's rules
 * doesn't reach. A row that has ended counts as none; one that can't be read is left out. Safe for
 * concurrent use.
 */
public final class UsersWithOwnTerms {
  private static final String ROW_IN_FORCE = "(t.valid_until IS NULL OR t.valid_until > ?)";

  private final RuleDatabase database;
  private final VersionedRowEditor rows;
  private final Supplier<String> defaultTier;
  private final Ticker ticker;

  /**
   * Opens the users.
   *
   * @param defaultTier the tier of users without a row
   */
  public UsersWithOwnTerms(
      RuleDatabase database, VersionedRowEditor rows, Supplier<String> defaultTier, Ticker ticker) {
    this.database = database;
    this.rows = rows;
    this.defaultTier = defaultTier;
    this.ticker = ticker;
  }

  /** Returns at most so many whose names come after another, in the order of the database. */
  List<UserTier> list(Optional<String> tier, String after, int most) {
    List<UserTier> found = new ArrayList<>();
    int atOnce = Math.min(most, RuleDatabase.MAX_USERS);
    String last = after;
    List<Name> names;
    do {
      names = names(tier, last, atOnce);
      users(names).stream()
          .filter(user -> tier.isEmpty() || user.tier().equals(tier.get()))
          .forEach(found::add);
      last = names.isEmpty() ? last : names.get(names.size() - 1).userId();
    } while (names.size() == atOnce && found.size() < most);
    return List.copyOf(found.subList(0, Math.min(most, found.size())));
  }

  private record Name(String userId, boolean hasQuota) {}

  /** Finds users who may have terms of their own: which limits can be read, SQL doesn't know. */
  private List<Name> names(Optional<String> tier, String after, int most) {
    Instant now = ticker.instant();
    Sql own =
        Sql.of("SELECT t.user_id FROM weir.user_tiers t WHERE " + ROW_IN_FORCE, now)
            .then(tier.map(name -> Sql.of(" AND t.tier = ?", name)))
            .then(
                " AND (COALESCE(t.custom_limits, '{}') <> '{}' OR EXISTS"
                    + " (SELECT 1 FROM weir.user_quotas q WHERE q.user_id = t.user_id))"
                    + " UNION ALL SELECT q.user_id FROM weir.user_quotas q WHERE NOT EXISTS"
                    + " (SELECT 1 FROM weir.user_tiers t WHERE t.user_id = q.user_id AND "
                    + ROW_IN_FORCE
                    + ")",
                now);
    Sql page =
        Sql.of(
                "SELECT user_id, EXISTS (SELECT 1 FROM weir.user_quotas q"
                    + " WHERE q.user_id = own.user_id) FROM (")
            .then(own)
            .then(") own WHERE user_id > ? ORDER BY user_id LIMIT ?", after, most);
    return database.query(
        "users can't be read",
        connection -> page.all(connection, row -> new Name(row.getString(1), row.getBoolean(2))));
  }

  private List<UserTier> users(List<Name> names) {
    Map<String, StoredRow> own =
        rows.ofUsers(RuleTable.USERS, names.stream().map(Name::userId).toList()).stream()
            .collect(Collectors.toMap(StoredRow::key, Function.identity()));
    return names.stream()
        .flatMap(
            name ->
                inForce(name.userId(), Optional.ofNullable(own.get(name.userId()))).stream()
                    .filter(user -> name.hasQuota() || !user.ownLimits().isEmpty()))
        .toList();
  }

  /** Returns the user as of now; empty if the row can't be read. */
  private Optional<UserTier> inForce(String name, Optional<StoredRow> row) {
    Instant now = ticker.instant();
    return row.isEmpty()
        ? Optional.of(withoutRow(name))
        : user(row.get())
            .map(
                user ->
                    user.validUntil().map(now::isBefore).orElse(true) ? user : withoutRow(name));
  }

  private static Optional<UserTier> user(StoredRow row) {
    return StoredRowReader.value(row, UserColumns::read).map(UserColumns.Read::user);
  }

  private UserTier withoutRow(String name) {
    return rows.foreign()
        .find(RuleTable.USERS, name)
        .flatMap(UsersWithOwnTerms::user)
        .orElseGet(
            () ->
                new UserTier(
                    name, defaultTier.get(), List.of(), UserState.ENFORCED, Optional.empty(), 0));
  }
}
