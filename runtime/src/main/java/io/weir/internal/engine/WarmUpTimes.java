package io.weir.internal.engine;

/**
 * When rounds of a rehearsal have become quick enough: two in a row that are quick, or several in a
 * row of which none was quicker than the quickest before, since a busy machine may have no quick
 * ones.
 *
 * <p>Confine to one thread.
 */
final class WarmUpTimes {
  private static final int QUICK_ONES = 2;
  private static final int SLOWER_ONES = 3;

  private final long quick;
  private long best = Long.MAX_VALUE;
  private int quickOnes;
  private int slowerOnes;

  /** Takes how many nanoseconds a quick round lasts at most. */
  WarmUpTimes(long quick) {
    this.quick = quick;
  }

  /** Takes note of a round; true if there needn't be another one. */
  boolean suffice(long nanos) {
    quickOnes = nanos <= quick ? quickOnes + 1 : 0;
    slowerOnes = nanos < best ? 0 : slowerOnes + 1;
    best = Math.min(best, nanos);
    return quickOnes >= QUICK_ONES || slowerOnes >= SLOWER_ONES;
  }
}
