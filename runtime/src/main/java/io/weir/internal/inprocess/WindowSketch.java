package io.weir.internal.inprocess;

import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;

/**
 * Counts the buckets of window algorithms in an {@link OverflowCountTable}: an item is a bucket in
 * one slot of time.
 *
 * <p>A cell holds a sum and the time until which it counts, that of its latest item. A cell whose
 * time has passed begins at 0. Invariant: a cell's sum is at least what each bucket in it has used
 * in a slot that still counts, less what was given back. For a give-back subtracts only what the
 * same bucket added to the same slot, and no cell begins anew before all its items have expired.
 *
 * <p>Needs the monitor of a bucket's group for claims of that bucket; otherwise safe for concurrent
 * use.
 */
final class WindowSketch {
  /** Times are kept in units of 2^16 µs since the first one, for four years. */
  private static final int UNIT = 16;

  private static final int SUM_BITS = 32;
  private static final long MAX_SUM = (1L << SUM_BITS) - 1;

  /** The value of a full cell, which is more than any limit. */
  private static final long FULL = 1L << 56;

  private static final long MAX_UNTIL = Integer.MAX_VALUE;

  private final OverflowCountTable table;
  private final long origin;

  /** Begins at a time, with a table of rows of 2<sup>columnBits</sup> cells. */
  WindowSketch(long now, int columnBits) {
    table = new OverflowCountTable(columnBits);
    origin = now;
  }

  Grant execute(Claim claim, long now) {
    BucketId bucket = claim.bucket();
    SketchTimeSlots slots = new SketchTimeSlots(bucket.spec());
    long slot = slots.at(now);
    giveBack(claim, slots, now);
    add(bucket, slot, slots, claim.debt(), now);
    add(bucket, slot, slots, claim.usedAtLeast() - used(bucket, now), now);
    long used = used(bucket, now);
    long limit = claim.burst();
    long granted = Math.min(claim.needed(), Math.max(0, limit - used));
    granted = granted < claim.atLeast() ? 0 : granted;
    add(bucket, slot, slots, granted, now);
    long left = Math.max(0, limit - used - granted);
    long least = Math.max(1, claim.atLeast());
    return Grant.builder()
        .granted(granted, stamp(slot), slots.end(slot, now) - now)
        .left(left)
        .retry(left >= least ? 0 : wait(claim, slots, limit - least, now))
        .reset(left >= limit ? 0 : wait(claim, slots, used + granted - 1, now))
        .build();
  }

  /** Returns the permits that a bucket has used, or more. */
  long used(BucketId bucket, long now) {
    SketchTimeSlots slots = new SketchTimeSlots(bucket.spec());
    long sum = 0;
    for (long slot = slots.at(now), i = 0; i <= slots.before(); i++) {
      sum += sum(bucket, slot - i, now);
    }
    return sum;
  }

  /** Microseconds until at most this many are used, by ageing alone. */
  private long wait(Claim claim, SketchTimeSlots slots, long most, long now) {
    if (most < 0) {
      return claim.bucket().spec().windowMicros(); // never; but later the limit may be another
    }
    long running = slots.at(now);
    long left = used(claim.bucket(), now);
    for (int i = slots.before(); i > 0; i--) {
      left -= sum(claim.bucket(), running - i, now);
      if (left <= most) {
        return slots.end(running - i, now) - now;
      }
    }
    return slots.end(running, now) - now;
  }

  /** Credits permits that were taken here, to slots that still count. */
  void giveBack(Claim claim, SketchTimeSlots slots, long now) {
    long running = slots.at(now);
    for (GiveBack each : claim.giveBacks()) {
      long slot = stamp(each.stamp());
      long age = running - slot;
      if (each.stamp() < 0 && age >= 0 && age <= slots.before()) {
        long hash = table.hash(claim.bucket(), slot);
        table.update(hash, cell -> cell(until(cell), sum(cell, now) - each.permits()));
      }
    }
  }

  // Below 0, unlike the stamps of buckets with a slot: those ignore such a give-back.
  private static long stamp(long slot) {
    return -1 - slot;
  }

  private void add(BucketId bucket, long slot, SketchTimeSlots slots, long permits, long now) {
    if (permits > 0) {
      long until = Math.min(MAX_UNTIL, (slots.end(slot, now) - origin >> UNIT) + 1);
      table.update(
          table.hash(bucket, slot),
          cell -> cell(Math.max(until, until(cell)), sum(cell, now) + permits));
    }
  }

  private long sum(BucketId bucket, long slot, long now) {
    return table.least(table.hash(bucket, slot), cell -> sum(cell, now));
  }

  private static long cell(long until, long sum) {
    return until << SUM_BITS | Math.max(0, Math.min(MAX_SUM, sum));
  }

  private static long until(long cell) {
    return cell >>> SUM_BITS;
  }

  private long sum(long cell, long now) {
    long sum = now - origin >> UNIT < until(cell) ? cell & MAX_SUM : 0;
    return sum == MAX_SUM ? FULL : sum;
  }
}
