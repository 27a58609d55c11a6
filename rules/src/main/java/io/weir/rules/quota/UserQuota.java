package io.weir.rules.quota;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Sets the quota of a user: a row of {@code user_quotas}. Members left empty are those of the rule
 * with {@code period = QUOTA}.
 *
 * <p>A changed limit holds at once; a changed billing day or zone, from the next period on.
 *
 * <p>Immutable.
 *
 * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
 * @param monthlyLimit permits of each period, 1 to 1,000,000,000; empty for the rule's limit
 * @param rolloverAmount permits that come over from the last period, 0 to 1,000,000,000: used if
 *     the user has no earlier period, and written whenever a period is closed
 * @param maxRollover the most permits that come over, 0 to 1,000,000,000; empty for the number of
 *     the rule
 * @param billingDay the day of the month on which a period begins, 1 to 31; in a shorter month its
 *     last day
 * @param zone the zone in which the day begins; saved by its name
 * @param version how often the row was written; 0 for one that isn't saved yet
 */
public record UserQuota(
    String userId,
    OptionalLong monthlyLimit,
    long rolloverAmount,
    OptionalLong maxRollover,
    int billingDay,
    ZoneId zone,
    long version) {
  /**
   * Checks no numbers: they are checked when it is saved.
   *
   * @param userId the principal's name
   * @param monthlyLimit permits of each period
   * @param rolloverAmount permits that come over from the last period
   * @param maxRollover the most permits that come over
   * @param billingDay the day of the month on which a period begins
   * @param zone the zone in which the day begins
   * @param version how often the row was written
   */
  public UserQuota {
    Objects.requireNonNull(userId, "userId");
    Objects.requireNonNull(zone, "zone");
  }

  /**
   * Makes settings that aren't saved yet: the rule's limit and rollover, from the first of the
   * month in UTC.
   *
   * @param userId the principal's name
   * @return the same quota as without a row
   */
  public static UserQuota of(String userId) {
    return new UserQuota(
        userId, OptionalLong.empty(), 0, OptionalLong.empty(), 1, ZoneOffset.UTC, 0);
  }

  /**
   * Returns the settings with a limit.
   *
   * @param limit see {@link #monthlyLimit()}
   * @return a copy
   */
  public UserQuota withMonthlyLimit(long limit) {
    return new UserQuota(
        userId, OptionalLong.of(limit), rolloverAmount, maxRollover, billingDay, zone, version);
  }

  /**
   * Returns the settings with a rollover.
   *
   * @param most see {@link #maxRollover()}
   * @return a copy
   */
  public UserQuota withMaxRollover(long most) {
    return new UserQuota(
        userId, monthlyLimit, rolloverAmount, OptionalLong.of(most), billingDay, zone, version);
  }

  /**
   * Returns the settings with permits that come over into the first period.
   *
   * @param amount see {@link #rolloverAmount()}
   * @return a copy
   */
  public UserQuota withRolloverAmount(long amount) {
    return new UserQuota(userId, monthlyLimit, amount, maxRollover, billingDay, zone, version);
  }

  /**
   * Returns the settings with another billing day and zone.
   *
   * @param day see {@link #billingDay()}
   * @param where see {@link #zone()}
   * @return a copy
   */
  public UserQuota billedOn(int day, ZoneId where) {
    return new UserQuota(userId, monthlyLimit, rolloverAmount, maxRollover, day, where, version);
  }
}
