package io.weir.internal.rules.usage;

/**
 * What is counted apart: one user at one endpoint, in one piece of time.
 *
 * @param userId the user
 * @param endpoint the endpoint
 * @param time the minute, hour or day, as a number since the epoch
 */
public record UsageKey(String userId, String endpoint, long time) implements Comparable<UsageKey> {
  /** The order of the tables' keys, in which all nodes change rows. */
  @Override
  public int compareTo(UsageKey other) {
    int order = userId.compareTo(other.userId);
    if (order == 0) {
      order = Long.compare(time, other.time);
    }
    return order == 0 ? endpoint.compareTo(other.endpoint) : order;
  }

  /**
   * The same user and endpoint in another piece of time.
   *
   * @param otherTime its number
   * @return a copy
   */
  public UsageKey at(long otherTime) {
    return new UsageKey(userId, endpoint, otherTime);
  }
}
