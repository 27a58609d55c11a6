package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.WrittenTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Adds the present tiers of callers to statements that read usage: that of the row of {@code
 * user_tiers} if it is valid, else the default tier. A table that was adopted may know users by
 * numbers or UUIDs, and may lack an end.
 *
 * <p>Immutable.
 */
public final class TierColumn {
  private static final String TABLE = RuleTable.USERS.tableName();
  private static final String TIER = "tier";
  private static final String END = "valid_until";

  private final Optional<WrittenTable> table;
  private final Instant now;
  private final String defaultTier;

  private TierColumn(Optional<WrittenTable> table, Instant now, String defaultTier) {
    this.table = table;
    this.now = now;
    this.defaultTier = defaultTier;
  }

  /**
   * Looks at the table.
   *
   * @param connection the database
   * @param now decides which rows are valid
   * @param defaultTier the tier of callers without a valid row
   * @return the column
   * @throws SQLException if the table can't be read
   */
  public static TierColumn find(Connection connection, Instant now, String defaultTier)
      throws SQLException {
    Optional<WrittenTable> found =
        WrittenTable.find(connection, TABLE, List.of(RuleTable.USER_ID, TIER, END));
    return new TierColumn(
        found.filter(each -> each.has(RuleTable.USER_ID) && each.has(TIER)), now, defaultTier);
  }

  /** Returns the SQL of the tier of a row of {@code c}, after {@link #join}. */
  String tier() {
    return "CASE WHEN c.user_id = '*' THEN '*' ELSE "
        + (table.isPresent() ? "COALESCE(r.tier, CAST(? AS VARCHAR))" : "CAST(? AS VARCHAR)")
        + " END";
  }

  int bindTier(PreparedStatement statement, int at) throws SQLException {
    statement.setString(at, defaultTier);
    return at + 1;
  }

  String join() {
    return table
        .map(
            each ->
                " LEFT JOIN (SELECT "
                    + userId(each, "")
                    + " AS user_id, tier FROM user_tiers WHERE "
                    + valid(each, "")
                    + ") r ON r.user_id = c.user_id")
        .orElse("");
  }

  int bindJoin(PreparedStatement statement, int at) throws SQLException {
    return bindEnd(statement, at);
  }

  /**
   * Returns a condition that rows of {@code u} are of callers of a tier.
   *
   * @param tier the tier
   * @return SQL that begins with AND, whose parameters are bound by {@link #bindIs}
   */
  public String is(String tier) {
    if (table.isEmpty()) {
      return tier.equals(defaultTier) ? "" : " AND 1 = 0";
    }
    boolean isDefault = tier.equals(defaultTier);
    return " AND "
        + (isDefault ? "NOT " : "")
        + "EXISTS (SELECT 1 FROM user_tiers r WHERE "
        + userId(table.get(), "r.")
        + " = u.user_id AND "
        + valid(table.get(), "r.")
        + (isDefault ? " AND r.tier IS NOT NULL AND r.tier <> ?)" : " AND r.tier = ?)");
  }

  /**
   * Binds the parameters of {@link #is}.
   *
   * @param statement the statement
   * @param at the place of the first one, from 1
   * @param tier the tier
   * @return the next place
   * @throws SQLException if the database refuses one
   */
  public int bindIs(PreparedStatement statement, int at, String tier) throws SQLException {
    if (table.isEmpty()) {
      return at;
    }
    int next = bindEnd(statement, at);
    statement.setString(next, tier);
    return next + 1;
  }

  private int bindEnd(PreparedStatement statement, int at) throws SQLException {
    if (table.isEmpty() || !table.get().has(END)) {
      return at;
    }
    table.get().bind(statement, at, END, now.toString());
    return at + 1;
  }

  private static String valid(WrittenTable table, String prefix) {
    String end = prefix + END;
    return table.has(END) ? "(" + end + " IS NULL OR " + end + " > ?)" : "1 = 1";
  }

  /** As a text; without a cast where it is one, so that an index can be used. */
  private static String userId(WrittenTable table, String prefix) {
    String column = prefix + RuleTable.USER_ID;
    return table.fits(RuleTable.USER_ID, "x") ? column : "CAST(" + column + " AS VARCHAR)";
  }
}
