package io.weir.store;

/**
 * Reports the fate of a grant's permits: the unused ones, and for a {@linkplain Grant#isFar far
 * lease} also the spent ones; in a bucket that a success {@linkplain BucketSpec#clears() clears}
 * those of requests that have failed.
 *
 * <p>The store credits unused permits only to the slot of time that their grant was charged to, and
 * never more than that slot was charged. Spent permits stay charged. But those of a far lease were
 * charged to the end of its life, far in the future: from now on they count as spent now. And those
 * of failed requests may be cleared from now on.
 *
 * <p>Immutable.
 *
 * @param stamp the grant's stamp
 * @param permits unused permits, 0 and more
 * @param spent permits of a far lease that were spent for good, or of requests that have failed in
 *     a bucket that a success clears, and that haven't been reported before; 0 and more; 0 for any
 *     other grant
 */
public record GiveBack(long stamp, long permits, long spent) {
  /**
   * Validates.
   *
   * @param stamp the grant's stamp
   * @param permits unused permits, 0 and more
   * @param spent permits of a far lease that were spent for good, or of requests that have failed
   *     in a bucket that a success clears, and that haven't been reported before; 0 and more; 0 for
   *     any other grant
   * @throws IllegalArgumentException if there is nothing to give back or to report, or a number is
   *     negative
   */
  public GiveBack {
    if (permits < 0 || spent < 0 || permits == 0 && spent == 0) {
      throw new IllegalArgumentException(
          "permits and spent must be at least 0, and one of them at least 1, not "
              + permits
              + " and "
              + spent);
    }
  }

  /**
   * Reports unused permits.
   *
   * @param stamp the grant's stamp
   * @param permits unused permits, 1 and more
   * @throws IllegalArgumentException if there is nothing to give back
   */
  public GiveBack(long stamp, long permits) {
    this(stamp, permits, 0);
  }
}
