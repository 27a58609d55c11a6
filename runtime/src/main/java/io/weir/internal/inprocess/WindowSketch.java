package io.weir.internal.inprocess;

import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;

/**
 * Counts the buckets of window algorithms in an {@link OverflowCountTable}: an item is a bucket in
 * one slot of time.
 *
 * <p>Invariant: what a bucket has used in slots that still count, less what it has given back, is
 * at most the sum of its own entries and of the shared one of its set. For a give-back subtracts
 * only what the same bucket added to the same entry, and no entry begins anew before all its items
 * have expired. Where the set has a shared entry it is unknown which one a charge was added to, if
 * the item has one of its own as well: then nothing is given back.
 *
 * <p>Guarded by the monitor of the group.
 */
final class WindowSketch extends OverflowSketch {
  /** About a millisecond; of 2<sup>26</sup> fingerprints two are rarely the same. */
  private static final int UNIT_BITS = 10;

  private final OverflowCountTable table;

  WindowSketch(long now, int entries) {
    table = new OverflowCountTable(entries, UNIT_BITS, now);
  }

  @Override
  Grant execute(Claim claim, long bucket, long now) {
    SketchTimeSlots slots = new SketchTimeSlots(claim.bucket().spec());
    long slot = slots.at(now);
    giveBack(claim, bucket, slots, now);
    add(bucket, slot, slots, claim.debt(), now);
    add(bucket, slot, slots, claim.usedAtLeast() - used(bucket, slots, now), now);
    long used = used(bucket, slots, now);
    long limit = claim.burst();
    long granted = Math.min(claim.needed(), Math.max(0, limit - used));
    granted = granted < claim.atLeast() ? 0 : granted;
    add(bucket, slot, slots, granted, now);
    long left = Math.max(0, limit - used - granted);
    long least = Math.max(1, claim.atLeast());
    return Grant.builder()
        .granted(granted, stamp(slot), slots.end(slot, now) - now)
        .left(left)
        .retry(left >= least ? 0 : wait(claim, bucket, slots, limit - least, now))
        .reset(left >= limit ? 0 : wait(claim, bucket, slots, used + granted - 1, now))
        .build();
  }

  /** Returns at least the permits that a bucket has used. */
  private long used(long bucket, SketchTimeSlots slots, long now) {
    long sum = shared(bucket, now);
    for (long slot = slots.at(now), i = 0; i <= slots.before(); i++) {
      sum += own(bucket, slot - i, now);
    }
    return sum;
  }

  @Override
  void moveIn(Claim claim, long bucket, LiveBucket state, long now) {
    SketchTimeSlots slots = new SketchTimeSlots(claim.bucket().spec());
    giveBack(claim, bucket, slots, now);
    long running = slots.at(now);
    for (int i = slots.before(); i > 0; i--) {
      charge(claim, state, own(bucket, running - i, now), slots.last(running - i));
    }
    charge(claim, state, own(bucket, running, now) + shared(bucket, now), now);
  }

  /** Microseconds until at most this many are used, by ageing alone. */
  private long wait(Claim claim, long bucket, SketchTimeSlots slots, long most, long now) {
    if (most < 0) {
      return claim.bucket().spec().windowMicros(); // never; but later the limit may be another
    }
    long running = slots.at(now);
    long left = used(bucket, slots, now);
    for (int i = slots.before(); i > 0; i--) {
      left -= own(bucket, running - i, now);
      if (left <= most) {
        return slots.end(running - i, now) - now;
      }
    }
    int shared = table.shared(bucket, now);
    boolean isShared = shared >= 0 && table.sum(shared) > most;
    long end = slots.end(running, now);
    return (isShared ? Math.max(end, table.until(shared)) : end) - now;
  }

  /** Credits permits that were taken here, to slots that still count. */
  private void giveBack(Claim claim, long bucket, SketchTimeSlots slots, long now) {
    long running = slots.at(now);
    for (GiveBack each : claim.giveBacks()) {
      long slot = stamp(each.stamp());
      long age = running - slot;
      if (each.stamp() < 0 && age >= 0 && age <= slots.before()) {
        int own = table.own(bucket, OverflowHash.of(bucket, slot), now);
        int shared = table.shared(bucket, now);
        if (own < 0 ^ shared < 0) {
          table.add(Math.max(own, shared), -each.permits());
        }
      }
    }
  }

  // Below 0, unlike the stamps of buckets with a slot: those ignore such a give-back.
  private static long stamp(long slot) {
    return -1 - slot;
  }

  private void add(long bucket, long slot, SketchTimeSlots slots, long permits, long now) {
    if (permits > 0) {
      int entry = table.forCharges(bucket, OverflowHash.of(bucket, slot), now);
      table.add(entry, permits);
      long end = slots.end(slot, now);
      if (table.until(entry) < end) {
        table.setUntil(entry, end);
      }
    }
  }

  private long own(long bucket, long slot, long now) {
    return sum(table.own(bucket, OverflowHash.of(bucket, slot), now));
  }

  private long shared(long bucket, long now) {
    return sum(table.shared(bucket, now));
  }

  private long sum(int entry) {
    return entry < 0 ? 0 : table.sum(entry);
  }
}
