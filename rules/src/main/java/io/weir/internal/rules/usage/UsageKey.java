package io.weir.internal.rules.usage;

/**
 * Identifies a sum: one user at one endpoint in one minute, hour or day.
 *
 * @param time the minute, hour or day, as a number since the epoch
 */
public record UsageKey(String userId, String endpoint, long time) implements Comparable<UsageKey> {
  /** Orders as the keys of the tables do: all nodes change rows in this order. */
  @Override
  public int compareTo(UsageKey other) {
    int order = userId.compareTo(other.userId);
    if (order == 0) {
      order = Long.compare(time, other.time);
    }
    return order == 0 ? endpoint.compareTo(other.endpoint) : order;
  }

  /** Returns the same user and endpoint in another minute, hour or day. */
  public UsageKey at(long otherTime) {
    return new UsageKey(userId, endpoint, otherTime);
  }
}
