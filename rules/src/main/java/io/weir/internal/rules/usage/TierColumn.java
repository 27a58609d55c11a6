package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Sql;
import java.time.Instant;

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

  public TierColumn(Instant now, String defaultTier) {
    this.now = now;
    this.defaultTier = defaultTier;
  }

  /** Returns the tier of a row of {@code c}, after {@link #join}. */
  Sql tier() {
    return Sql.of(
        "CASE WHEN c.user_id = '*' THEN '*' ELSE COALESCE(r.tier, CAST(? AS VARCHAR)) END",
        defaultTier);
  }

  Sql join() {
    return Sql.of(
        " LEFT JOIN (SELECT user_id, tier FROM weir.user_tiers WHERE "
            + VALID
            + ") r ON r.user_id = c.user_id",
        now);
  }

  /** Returns a condition, after AND, that rows of {@code u} are of callers of a tier. */
  public Sql is(String tier) {
    boolean isDefault = tier.equals(defaultTier);
    return Sql.of(
        " AND "
            + (isDefault ? "NOT " : "")
            + "EXISTS (SELECT 1 FROM weir.user_tiers r WHERE r.user_id = u.user_id AND "
            + VALID
            + (isDefault ? " AND r.tier IS NOT NULL AND r.tier <> ?)" : " AND r.tier = ?)"),
        now,
        tier);
  }
}
