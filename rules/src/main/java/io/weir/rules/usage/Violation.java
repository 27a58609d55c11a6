package io.weir.rules.usage;

import java.time.Instant;

/**
 * Counts refusals of a caller at an endpoint by a policy in the few seconds between two writes.
 *
 * @param id the row's
 * @param userId the user; for an unknown caller {@code ip:} and the address, cut to the prefix by
 *     which it counts, or {@code *} for those beyond the busiest 1,000
 * @param endpoint as in {@link EndpointUsage}
 * @param policy the policy that refused, of several the one with the longest wait; empty in rows
 *     that other programs have written without it
 * @param at the time of the first refusal
 * @param count the number of refusals
 */
public record Violation(
    long id, String userId, String endpoint, String policy, Instant at, long count) {
  /**
   * Returns its position among all violations, with which the next page continues.
   *
   * @return time and id
   */
  public Position position() {
    return new Position(at, id);
  }

  /**
   * Identifies a position among violations, the newest first.
   *
   * @param at the time of a violation
   * @param id the id of its row
   */
  public record Position(Instant at, long id) {}
}
