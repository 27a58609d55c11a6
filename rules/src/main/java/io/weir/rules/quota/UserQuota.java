package io.weir.rules.quota;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The quota of one user: a row of {@code user_quotas}. What it leaves out is as the rule with
 * {@code period = QUOTA} says.
 *
 * <p>A changed limit holds at once, a changed billing day or zone from the next period.
 *
 * <p>Immutable.
 *
 * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
 * @param monthlyLimit permits of each period, 1 to 1,000,000,000; nothing: the rule's limit
 * @param rolloverAmount permits that come over from the last period, 0 to 1,000,000,000: read when
 *     the user has no earlier period, and written anew whenever one is closed
 * @param maxRollover how many permits at most come over, 0 to 1,000,000,000; nothing: what the rule
 *     says
 * @param billingDay the day of the month on which a period begins, 1 to 31; in a shorter month its
 *     last day
 * @param zone in which the day begins; saved by its name
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
   * Takes the members as they are; numbers out of range are told when it is saved.
   *
   * @param userId see the record
   * @param monthlyLimit see the record
   * @param rolloverAmount see the record
   * @param maxRollover see the record
   * @param billingDay see the record
   * @param zone see the record
   * @param version see the record
   */
  public UserQuota {
    Objects.requireNonNull(userId, "userId");
    Objects.requireNonNull(zone, "zone");
  }

  /**
   * One that isn't saved yet: the rule's limit and rollover, from the first of the month in UTC.
   *
   * @param userId see the record
   * @return all as without a row
   */
  public static UserQuota of(String userId) {
    return new UserQuota(
        userId, OptionalLong.empty(), 0, OptionalLong.empty(), 1, ZoneOffset.UTC, 0);
  }

  /**
   * The same with a limit of its own.
   *
   * @param limit see the record
   * @return a copy
   */
  public UserQuota withMonthlyLimit(long limit) {
    return new UserQuota(
        userId, OptionalLong.of(limit), rolloverAmount, maxRollover, billingDay, zone, version);
  }

  /**
   * The same with a rollover of its own.
   *
   * @param most see the record
   * @return a copy
   */
  public UserQuota withMaxRollover(long most) {
    return new UserQuota(
        userId, monthlyLimit, rolloverAmount, OptionalLong.of(most), billingDay, zone, version);
  }

  /**
   * The same with permits that come over from before there were periods.
   *
   * @param amount see the record
   * @return a copy
   */
  public UserQuota withRolloverAmount(long amount) {
    return new UserQuota(userId, monthlyLimit, amount, maxRollover, billingDay, zone, version);
  }

  /**
   * The same with periods that begin on another day, or in another zone.
   *
   * @param day see the record
   * @param where see the record
   * @return a copy
   */
  public UserQuota billedOn(int day, ZoneId where) {
    return new UserQuota(userId, monthlyLimit, rolloverAmount, maxRollover, day, where, version);
  }
}
