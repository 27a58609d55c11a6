package io.weir.store;

/**
 * What became of the permits of a grant: those that weren't used, and of a {@linkplain Grant#isFar
 * far lease} also those that were spent.
 *
 * <p>The store credits unused permits only to the slot of time that their grant was charged to, and
 * never more than that slot was charged. Spent permits stay charged. But those of a far lease were
 * charged to the end of its life, long after now: from now on they count as spent now.
 *
 * <p>Immutable.
 *
 * @param stamp the grant's stamp
 * @param permits how many weren't used, 0 and more
 * @param spent how many of a far lease were spent for good and haven't been reported before, 0 and
 *     more; 0 for any other grant
 */
public record GiveBack(long stamp, long permits, long spent) {
  /**
   * Validates.
   *
   * @param stamp see the record
   * @param permits see the record
   * @param spent see the record
   * @throws IllegalArgumentException if there is nothing to give back or to report, or a number is
   *     negative
   */
  public GiveBack {
    if (permits < 0 || spent < 0 || permits == 0 && spent == 0) {
      throw new IllegalArgumentException(
          "permits must be at least 1, not " + permits + " and " + spent + " spent");
    }
  }

  /**
   * Permits that weren't used.
   *
   * @param stamp see the record
   * @param permits how many, 1 and more
   * @throws IllegalArgumentException if there is nothing to give back
   */
  public GiveBack(long stamp, long permits) {
    this(stamp, permits, 0);
  }
}
