package io.weir.rules.outcome;

import java.time.Instant;

/**
 * Counts the decisions of a policy in an hour, on all nodes together.
 *
 * @param policy its name; {@value #OTHERS} for all policies together: those that a node had no room
 *     to count one by one, or, in {@link Outcomes#hoursOfAll}, each one
 * @param startsAt the beginning of the hour in UTC, by the database's clock
 * @param admitted admitted within the limit; 0 and more, like all of these
 * @param refused refused
 * @param soft admitted beyond the limit by a policy that is {@code SOFT} or {@code ELASTIC}
 * @param shadowRefused admitted only because the policy was in shadow mode
 * @param degraded of all of these, those decided without the store
 */
public record HourlyOutcomes(
    String policy,
    Instant startsAt,
    long admitted,
    long refused,
    long soft,
    long shadowRefused,
    long degraded) {
  /** Stands for all policies that aren't listed one by one. No policy has this name. */
  public static final String OTHERS = "*";
}
