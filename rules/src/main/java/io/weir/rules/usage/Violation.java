package io.weir.rules.usage;

import java.time.Instant;

/**
 * Refusals of one caller at one endpoint by one policy, of the few seconds between two writes.
 *
 * @param id the row's
 * @param userId the user; of callers that aren't known {@code ip:} and the address, cut to the
 *     prefix by which it counts, or {@code *} for those beyond the busiest 1,000
 * @param endpoint as in {@link EndpointUsage}
 * @param policy the policy that refused, of several the one that refused for longest; empty in rows
 *     of others that don't tell it
 * @param at when the first was refused
 * @param count how many
 */
public record Violation(
    long id, String userId, String endpoint, String policy, Instant at, long count) {
  /**
   * Where it stands among all, the newest first: so that the next page begins behind it.
   *
   * @return its time and its id
   */
  public Position position() {
    return new Position(at, id);
  }

  /**
   * A place among violations.
   *
   * @param at when one was refused
   * @param id its row's
   */
  public record Position(Instant at, long id) {}
}
