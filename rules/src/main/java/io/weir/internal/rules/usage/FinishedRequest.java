package io.weir.internal.rules.usage;

import io.weir.Decision;
import io.weir.internal.rules.database.ReservedUserNames;

/**
 * A request that was decided and is over. Immutable.
 *
 * @param userId the key of the caller's row: a principal, or a key that has a row in {@code
 *     user_tiers} or {@code user_quotas}; {@value #OTHERS} for all others
 * @param endpoint what leads to it, of which there are only as many as the application has and the
 *     rulebook names: the resource's template, the servlet's mapping, else the most specific
 *     pattern of the rules that match, else {@code policy:} and the policy's name. Never a path
 * @param address where a caller among the others was refused: the address, cut to the prefix by
 *     which it counts; empty for known callers, for admitted requests and where there is none
 * @param decision what was decided
 * @param micros when it ended, in microseconds since the epoch
 */
public record FinishedRequest(
    String userId, String endpoint, String address, Decision decision, long micros) {
  /** All callers that aren't known, together. */
  public static final String OTHERS = ReservedUserNames.OTHERS;

  /** What the address of one of them begins with, where it stands in place of a user. */
  public static final String ADDRESS = ReservedUserNames.ADDRESS;

  /** The longest endpoint that has a place in the tables. */
  private static final int LONGEST_ENDPOINT = 500;

  /** Cuts an endpoint that is longer than its column. */
  public FinishedRequest {
    if (endpoint.length() > LONGEST_ENDPOINT) {
      endpoint = endpoint.substring(0, LONGEST_ENDPOINT);
    }
  }

  /**
   * Whether a principal's name would pass for what others are called: such a one is among them.
   *
   * @param name the principal's
   * @return true for {@value #OTHERS} and for what begins with {@value #ADDRESS}
   */
  public static boolean isReserved(String name) {
    return name.equals(OTHERS) || name.startsWith(ADDRESS);
  }

  /**
   * Whether the caller is told from all others.
   *
   * @return false for {@value #OTHERS}
   */
  public boolean isKnown() {
    return !userId.equals(OTHERS);
  }
}
