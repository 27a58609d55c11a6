package io.weir.internal.rules.maintenance;

import java.time.Duration;

/**
 * Sets the time for which rows are kept.
 *
 * @param hours of usage by hour
 * @param days of usage by day
 * @param minutes of usage by minute, for anomalies
 * @param violations of refused requests; of anomalies and entries of the access list after their
 *     end
 * @param history of the history of rules, costs and switches
 * @param userHistory of the history of rows of users, and of the access list
 */
public record RetentionPeriods(
    Duration hours,
    Duration days,
    Duration minutes,
    Duration violations,
    Duration history,
    Duration userHistory) {
  public static final Duration SHORTEST = Duration.ofDays(1);

  public static final Duration LONGEST = Duration.ofDays(36_500);

  public static final RetentionPeriods USUAL =
      new RetentionPeriods(
          Duration.ofDays(90),
          Duration.ofDays(400),
          Duration.ofDays(1),
          Duration.ofDays(30),
          Duration.ofDays(400),
          Duration.ofDays(7));
}
