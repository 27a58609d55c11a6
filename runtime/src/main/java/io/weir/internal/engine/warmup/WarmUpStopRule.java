package io.weir.internal.engine.warmup;

/**
 * Decides when the rounds of a warm-up have become quick enough: after two quick ones in a row, or
 * after several of which none was quicker than the best before, since a busy machine may never be
 * quick.
 *
 * <p>Confine to one thread.
 */
final class WarmUpStopRule {
  private static final int QUICK_ONES = 2;
  private static final int SLOWER_ONES = 3;

  private final long quick;
  private long best = Long.MAX_VALUE;
  private int quickOnes;
  private int slowerOnes;

  /** Takes the longest duration of a quick round, in nanoseconds. */
  WarmUpStopRule(long quick) {
    this.quick = quick;
  }

  /** Records a round of so many nanoseconds, and returns whether the warm-up can end. */
  boolean isEnoughAfter(long nanos) {
    quickOnes = nanos <= quick ? quickOnes + 1 : 0;
    slowerOnes = nanos < best ? 0 : slowerOnes + 1;
    best = Math.min(best, nanos);
    return quickOnes >= QUICK_ONES || slowerOnes >= SLOWER_ONES;
  }
}
