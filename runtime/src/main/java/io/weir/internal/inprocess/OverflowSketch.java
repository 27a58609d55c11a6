package io.weir.internal.inprocess;

import io.weir.store.BucketArithmetic;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Counts each bucket without a slot in tables of a fixed size, however many there are. A bucket
 * that has used nothing is refused only where others share all its cells; none is without a limit.
 *
 * <p>There are three tables of 8 MiB, each from its first use on: for windows of up to ten minutes,
 * for longer ones, and for the bucket algorithms. Windows of different lengths don't mix well: what
 * short ones leave in a cell lasts as long as the long one that shares it.
 *
 * <p>Safe for concurrent use if each bucket is used under the monitor of its group.
 */
final class OverflowSketch implements OverflowCounter {
  private static final BucketArithmetic ARITHMETIC = BucketArithmetic.exact();
  private static final long SHORT = 600_000_000;

  /** Makes 8 MiB a table. Of 100,000 buckets in it, one in a hundred shares all cells of a slot. */
  static final int COLUMN_BITS = 18;

  private final WindowSketch shortWindows;
  private final WindowSketch longWindows;
  private final TokenBucketSketch rates;
  private final Runnable whenFirstUsed;
  private final AtomicBoolean used = new AtomicBoolean();

  /** Begins at a time; runs {@code whenFirstUsed} once, when the first bucket is counted here. */
  OverflowSketch(long now, int columnBits, Runnable whenFirstUsed) {
    this.shortWindows = new WindowSketch(now, columnBits);
    this.longWindows = new WindowSketch(now, columnBits);
    this.rates = new TokenBucketSketch(columnBits);
    this.whenFirstUsed = whenFirstUsed;
  }

  @Override
  public Grant execute(Claim claim, long now) {
    if (!used.get() && used.compareAndSet(false, true)) {
      whenFirstUsed.run();
    }
    BucketSpec spec = claim.bucket().spec();
    return isBucket(spec) ? rates.execute(claim, now) : windows(spec).execute(claim, now);
  }

  @Override
  public LiveBucket moveIn(Claim claim, long now) {
    BucketSpec spec = claim.bucket().spec();
    LiveBucket state = ARITHMETIC.fresh(spec);
    long before = used.get() ? used(claim, spec, now) : 0;
    if (before > 0) {
      long limit = claim.effectiveLimit();
      Claim debt = Claim.builder(claim.bucket(), limit, claim.burst()).debt(before).build();
      state.execute(debt, now);
    }
    return state;
  }

  private long used(Claim claim, BucketSpec spec, long now) {
    if (isBucket(spec)) {
      return rates.used(claim, now);
    }
    windows(spec).giveBack(claim, new SketchTimeSlots(spec), now);
    return windows(spec).used(claim.bucket(), now);
  }

  private static boolean isBucket(BucketSpec spec) {
    return BucketSpec.hasBurst(spec.algorithm());
  }

  private WindowSketch windows(BucketSpec spec) {
    return spec.windowMicros() <= SHORT ? shortWindows : longWindows;
  }
}
