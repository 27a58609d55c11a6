package io.weir.internal.rules.usage;

import io.weir.Decision;
import io.weir.internal.rules.database.ReservedUserNames;

/**
 * Describes a request that was decided and has ended. Immutable.
 *
 * @param userId the key of the caller's row: a principal, or a key that has a row in {@code
 *     user_tiers} or {@code user_quotas}; {@value #OTHERS} for all others
 * @param endpoint the resource's template, the servlet's mapping, else the most specific pattern of
 *     the rules that match, else {@code policy:} and the policy's name. Never a path, so that there
 *     are no more than the application and the rulebook name
 * @param address the address of a refused caller among the others, cut to the prefix by which it
 *     counts; empty for known callers, for admitted requests and where there is none
 * @param micros when it ended, in microseconds since the epoch
 */
public record FinishedRequest(
    String userId, String endpoint, String address, Decision decision, long micros) {
  public static final String OTHERS = ReservedUserNames.OTHERS;

  public static final String ADDRESS = ReservedUserNames.ADDRESS;

  /** The length of the tables' column. */
  private static final int MAX_ENDPOINT_LENGTH = 500;

  /** Cuts an endpoint that is longer than its column. */
  public FinishedRequest {
    if (endpoint.length() > MAX_ENDPOINT_LENGTH) {
      endpoint = endpoint.substring(0, MAX_ENDPOINT_LENGTH);
    }
  }

  /**
   * Returns whether a principal's name could be mistaken for others or for an address: such a
   * caller counts among the others.
   */
  public static boolean isReserved(String name) {
    return name.equals(OTHERS) || name.startsWith(ADDRESS);
  }

  /** Returns whether the caller has usage of its own. */
  public boolean isKnown() {
    return !userId.equals(OTHERS);
  }
}
