package io.weir.internal.rules.usage;

import java.util.Comparator;

/**
 * What is counted apart: one user at one endpoint, in one piece of time.
 *
 * @param userId the user
 * @param endpoint the endpoint
 * @param time the minute, hour or day, as a number since the epoch
 */
public record UsageKey(String userId, String endpoint, long time) implements Comparable<UsageKey> {
  /** That of the tables' keys, so that nodes change rows in the same order. */
  private static final Comparator<UsageKey> ORDER =
      Comparator.comparing(UsageKey::userId)
          .thenComparingLong(UsageKey::time)
          .thenComparing(UsageKey::endpoint);

  @Override
  public int compareTo(UsageKey other) {
    return ORDER.compare(this, other);
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
