package io.weir.rules.usage;

import io.weir.rules.problem.RulesUnavailableException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * What requests have taken, and what was refused.
 *
 * <p>A user is the name of a principal, or {@code sha256:} and 64 hex digits of a key that has a
 * row in {@code user_tiers} or {@code user_quotas}. All other callers together are the user {@code
 * *}. Nodes write every few seconds ({@code weir.usage.interval}), so the last seconds are missing.
 *
 * <p>Reads the database in the thread of the caller, and throws {@link RulesUnavailableException}
 * where it can't; {@link #topRefused} and {@link #dropped} are this node's memory. Safe for
 * concurrent use.
 */
public interface Usage {
  /** The longest time that hours can be asked for at once. */
  int MOST_HOURS = 24 * 92;

  /** The most days that can be asked for at once. */
  int MOST_DAYS = 366;

  /** The most violations and callers that can be asked for at once. */
  int MOST_ROWS = 1_000;

  /**
   * All that a user has ever used.
   *
   * @param userId the user
   * @return zeros for one that was never met
   */
  UsageTotal total(String userId);

  /**
   * What a user has used, hour by hour.
   *
   * @param userId the user
   * @param from hours that begin then or later
   * @param until hours that begin before
   * @return a row for each hour and endpoint with a request, the oldest first; kept for 90 days
   *     unless set
   * @throws IllegalArgumentException if that is more than {@value #MOST_HOURS} hours
   */
  List<EndpointUsage> hours(String userId, Instant from, Instant until);

  /**
   * What a user has used in a time, by endpoint: the sums of its hours. So days and months can be
   * those of the user's own zone.
   *
   * @param userId the user
   * @param from hours that begin then or later
   * @param until hours that begin before
   * @return a row for each endpoint, in the order of their names; the peak is that of the busiest
   *     hour
   * @throws IllegalArgumentException if that is more than {@value #MOST_HOURS} hours
   */
  List<EndpointUsage> byEndpoint(String userId, Instant from, Instant until);

  /**
   * What a user has used, day by day, in UTC.
   *
   * @param userId the user
   * @param from the first day
   * @param to the last day, which is included
   * @return a row for each day and endpoint with a request, the oldest first; kept for 400 days
   *     unless set
   * @throws IllegalArgumentException if these are more than {@value #MOST_DAYS} days
   */
  List<EndpointUsage> days(String userId, LocalDate from, LocalDate to);

  /**
   * The latest refusals of all callers.
   *
   * @param from refused then or later
   * @param until refused before
   * @param most how many rows, 1 to {@value #MOST_ROWS}
   * @return the newest first; kept for 30 days unless set
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<Violation> violations(Instant from, Instant until, int most);

  /**
   * The latest refusals of a user.
   *
   * @param userId the user
   * @param from refused then or later
   * @param until refused before
   * @param most how many rows, 1 to {@value #MOST_ROWS}
   * @return the newest first; kept for 30 days unless set
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<Violation> violationsOf(String userId, Instant from, Instant until, int most);

  /**
   * The latest refusals, page by page.
   *
   * @param userId only those of this user; nothing: of all callers
   * @param from refused then or later
   * @param until refused before
   * @param last where the last page ended; nothing begins with the newest
   * @param most how many rows, 1 to {@value #MOST_ROWS}
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
   * Who has used most in a time: the sums of hours of each user.
   *
   * @param from hours that begin then or later
   * @param until hours that begin before
   * @param last the last user of the page before; nothing begins with the busiest
   * @param most how many rows, 1 to {@value #MOST_ROWS}
   * @return the busiest first, by requests and then by name
   * @throws IllegalArgumentException if that is more than {@value #MOST_HOURS} hours, or {@code
   *     most} is out of range
   */
  List<UserUsage> users(Instant from, Instant until, Optional<UserUsage> last, int most);

  /**
   * Who was refused most by this node lately. Counted in bounded memory, so each count has an
   * error; whoever was refused more often than all errors is in it.
   *
   * @param most how many callers, 1 to {@value #MOST_ROWS}
   * @return the most refused first; none where {@code weir.usage=false}
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<RefusedCaller> topRefused(int most);

  /**
   * What is missing in the database, because this node couldn't write it.
   *
   * @return zeros if all is well
   */
  DroppedUsage dropped();
}
