package io.weir.internal.cassandra;

/** Works out for how long rows are kept. */
final class RowLifetime {
  /** The longest lifetime of a row in Cassandra: 20 years, and not beyond January 2038. */
  private static final long LONGEST = 20L * 365 * 86_400;

  private static final long LATEST = 2_147_400_000L;
  private static final long SECOND = 1_000_000;

  /** Seconds for which rows are kept beyond their expiry, as coordinators' clocks differ. */
  static final int MARGIN = 10;

  private RowLifetime() {}

  /**
   * Seconds to keep a row that counts until a time.
   *
   * @param until microseconds since the epoch
   */
  static int secondsToKeep(long until, long now) {
    long most = Math.min(LONGEST, Math.max(LATEST - now / SECOND, LONGEST - LATEST));
    long wanted = (Math.max(0, until - now) + SECOND - 1) / SECOND + 1 + MARGIN;
    return (int) Math.max(1, Math.min(most, wanted));
  }
}
