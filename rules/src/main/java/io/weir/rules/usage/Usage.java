package io.weir.rules.usage;

import io.weir.rules.problem.QueryTooLargeException;
import io.weir.rules.problem.RulesUnavailableException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * Reads the usage of callers, and their refused requests.
 *
 * <p>A user is the name of a principal, or {@code sha256:} and 64 hex digits of a key that has a
 * row in {@code user_tiers} or {@code user_quotas}. All other callers together are the user {@code
 * *}. Nodes write every few seconds ({@code weir.usage.interval}), so the last seconds are missing.
 *
 * <p>Reads the database in the thread of the caller, and throws {@link RulesUnavailableException}
 * if it is unavailable; {@link #topRefused} and {@link #dropped} read this node's memory. Safe for
 * concurrent use.
 */
public interface Usage {
  /** The most hours of one call. */
  int MAX_HOURS = 24 * 92;

  /** The most days of one call. */
  int MAX_DAYS = 366;

  /** The most violations and callers of one call. */
  int MAX_ROWS = 1_000;

  /** The most sums, and the most hours and days, of one call. */
  int MAX_SUMS = 100_000;

  /**
   * Returns the sums of all requests of a user.
   *
   * @param userId the user
   * @return zeros for one that was never seen
   */
  UsageTotal total(String userId);

  /**
   * Returns the usage of a user by hour.
   *
   * @param userId the user
   * @param from hours that begin then or later
   * @param until hours that begin before
   * @return a row for each hour and endpoint with a request, the oldest first; kept for 90 days
   *     unless set
   * @throws IllegalArgumentException if that is more than {@value #MAX_HOURS} hours
   */
  List<EndpointUsage> hours(String userId, Instant from, Instant until);

  /**
   * Returns the usage of a user in a time by endpoint: the sums of its hours, which may be those of
   * a day or month in the user's time zone.
   *
   * @param userId the user
   * @param from hours that begin then or later
   * @param until hours that begin before
   * @return a row for each endpoint, in the order of their names; the peak is that of the busiest
   *     hour
   * @throws IllegalArgumentException if that is more than {@value #MAX_HOURS} hours
   */
  List<EndpointUsage> byEndpoint(String userId, Instant from, Instant until);

  /**
   * Returns the usage of a user by day, in UTC.
   *
   * @param userId the user
   * @param from the first day
   * @param to the last day, which is included
   * @return a row for each day and endpoint with a request, the oldest first; kept for 400 days
   *     unless set
   * @throws IllegalArgumentException if these are more than {@value #MAX_DAYS} days
   */
  List<EndpointUsage> days(String userId, LocalDate from, LocalDate to);

  /**
   * Returns the latest refusals of all callers.
   *
   * @param from refused then or later
   * @param until refused before
   * @param most the most rows to return, 1 to {@value #MAX_ROWS}
   * @return the newest first; kept for 30 days unless set
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<Violation> violations(Instant from, Instant until, int most);

  /**
   * Returns the latest refusals of a user.
   *
   * @param userId the user
   * @param from refused then or later
   * @param until refused before
   * @param most the most rows to return, 1 to {@value #MAX_ROWS}
   * @return the newest first; kept for 30 days unless set
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<Violation> violationsOf(String userId, Instant from, Instant until, int most);

  /**
   * Returns the latest refusals by pages.
   *
   * @param userId only those of this user; empty for all callers
   * @param from refused then or later
   * @param until refused before
   * @param last the end of the previous page; empty begins with the newest
   * @param most the most rows to return, 1 to {@value #MAX_ROWS}
   * @return the newest first
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<Violation> violations(
      Optional<String> userId,
      Instant from,
      Instant until,
      Optional<Violation.Position> last,
      int most);

  /**
   * Returns the users with the most requests in a time: the sums of their hours.
   *
   * @param from hours that begin then or later
   * @param until hours that begin before
   * @param last the last user of the previous page; empty begins with the busiest
   * @param most the most rows to return, 1 to {@value #MAX_SUMS}
   * @return the busiest first, by requests and then by name
   * @throws IllegalArgumentException if that is more than {@value #MAX_HOURS} hours, or {@code
   *     most} is out of range
   * @throws QueryTooLargeException if the database would read for more than 4 s
   */
  List<UserUsage> users(Instant from, Instant until, Optional<UserUsage> last, int most);

  /**
   * Returns the endpoints with the most requests of all callers in a time: the sums of their hours.
   *
   * @param from hours that begin then or later
   * @param until hours that begin before
   * @param last the last endpoint of the previous page; empty begins with the busiest
   * @param most the most rows to return, 1 to {@value #MAX_SUMS}
   * @return the busiest first, by requests and then by name
   * @throws IllegalArgumentException if that is more than {@value #MAX_HOURS} hours, or {@code
   *     most} is out of range
   * @throws QueryTooLargeException if the database would read for more than 4 s
   */
  List<EndpointTotal> endpoints(
      Instant from, Instant until, Optional<EndpointTotal> last, int most);

  /**
   * Returns the usage of all callers in a time by tier. The tier is the one that a caller has now,
   * by its row in {@code user_tiers}, whatever it had then and whatever a {@code TierResolver} of
   * the application says.
   *
   * @param from hours that begin then or later
   * @param until hours that begin before
   * @return the tier with the most requests first
   * @throws IllegalArgumentException if that is more than {@value #MAX_HOURS} hours
   * @throws QueryTooLargeException if the database would read for more than 4 s
   */
  List<TierUsage> tiers(Instant from, Instant until);

  /**
   * Returns the callers that all nodes together have refused most in a time.
   *
   * @param from refused then or later
   * @param until refused before
   * @param most the most rows to return, 1 to {@value #MAX_ROWS}
   * @return the most refused first, by refusals and then by name
   * @throws IllegalArgumentException if {@code most} is out of range
   * @throws QueryTooLargeException if the database would read for more than 4 s
   */
  List<CallerRefusals> mostRefused(Instant from, Instant until, int most);

  /**
   * Returns the callers that this node has refused most lately. They are counted in bounded memory,
   * so each count has an error; every caller that was refused more often than all errors is listed.
   *
   * @param most the most rows to return, 1 to {@value #MAX_ROWS}
   * @return the most refused first; none where {@code weir.usage=false}
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<RefusedCaller> topRefused(int most);

  /**
   * Returns the usage that is missing in the database because this node couldn't write it.
   *
   * @return zeros if nothing is missing
   */
  DroppedUsage dropped();
}
