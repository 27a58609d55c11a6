package io.weir.internal.rules.usage;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * Adds the present tiers of callers to statements that read usage: that of the row of {@code
 * user_tiers} if it is valid, else the default tier.
 *
 * <p>Immutable.
 */
public final class TierColumn {
  private static final String VALID = "(valid_until IS NULL OR valid_until > ?)";

  private final Instant now;
  private final String defaultTier;

  /**
   * Looks at no row yet.
   *
   * @param now decides which rows are valid
   * @param defaultTier the tier of callers without a valid row
   */
  public TierColumn(Instant now, String defaultTier) {
    this.now = now;
    this.defaultTier = defaultTier;
  }

  /** Returns the SQL of the tier of a row of {@code c}, after {@link #join}. */
  String tier() {
    return "CASE WHEN c.user_id = '*' THEN '*' ELSE COALESCE(r.tier, CAST(? AS VARCHAR)) END";
  }

  int bindTier(PreparedStatement statement, int at) throws SQLException {
    statement.setString(at, defaultTier);
    return at + 1;
  }

  String join() {
    return " LEFT JOIN (SELECT user_id, tier FROM weir.user_tiers WHERE "
        + VALID
        + ") r ON r.user_id = c.user_id";
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
    boolean isDefault = tier.equals(defaultTier);
    return " AND "
        + (isDefault ? "NOT " : "")
        + "EXISTS (SELECT 1 FROM weir.user_tiers r WHERE r.user_id = u.user_id AND "
        + VALID
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
    int next = bindEnd(statement, at);
    statement.setString(next, tier);
    return next + 1;
  }

  private int bindEnd(PreparedStatement statement, int at) throws SQLException {
    statement.setObject(at, now.atOffset(ZoneOffset.UTC));
    return at + 1;
  }
}
