package io.weir.store;

/**
 * Permits that were granted and not used. The store credits them only to the slot of time that
 * their grant was charged to, and never more than that slot was charged.
 *
 * <p>Immutable.
 *
 * @param stamp the grant's stamp
 * @param permits how many, 1 and more
 */
public record GiveBack(long stamp, long permits) {
  /**
   * Validates.
   *
   * @param stamp see the record
   * @param permits see the record
   * @throws IllegalArgumentException if there is nothing to give back
   */
  public GiveBack {
    if (permits < 1) {
      throw new IllegalArgumentException("permits must be at least 1, not " + permits);
    }
  }
}
