package io.weir.internal.inprocess;

import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;

/**
 * Counts the buckets of bucket algorithms in an {@link OverflowCountTable}: the time of an entry is
 * that at which its bucket is full again. A permit puts that off by as long as one takes to come
 * back, in whole microseconds; a request is admitted if it isn't further away than a whole burst
 * takes.
 *
 * <p>Invariant: the time of an entry is at least that of each bucket in it. A bucket that gets an
 * entry of its own, although its set has a shared one, takes the time of that with it.
 *
 * <p>A give-back credits what can't have come back since, even if the bucket had used nothing else:
 * the time that the permits took, less the time since they were charged. The sum of what may still
 * be credited is never more than how far away the entry's time is, because each charge adds to both
 * alike, and time takes at least as much of the sum.
 *
 * <p>With a refill, permits come back evenly instead of at once, at the same rate. A strict bucket
 * that refuses begins its wait anew.
 *
 * <p>Guarded by the monitor of the group.
 */
final class TokenBucketSketch extends OverflowSketch {
  private static final long FOREVER = 1L << 52;

  private final OverflowCountTable table;
  private final long origin;

  TokenBucketSketch(long now, int entries) {
    table = new OverflowCountTable(entries, 0, now);
    origin = now;
  }

  @Override
  Grant execute(Claim claim, long bucket, long now) {
    giveBack(claim, bucket, now);
    long each = each(claim);
    long window = claim.bucket().spec().windowMicros();
    long depth = times(claim.burst(), each);
    charge(bucket, times(claim.debt(), each), now);
    long granted = Math.min(claim.needed(), free(fullIn(bucket, now), depth, each));
    granted = granted < claim.atLeast() ? 0 : granted;
    charge(bucket, times(granted, each), now);
    if (granted == 0 && claim.needed() > 0 && claim.bucket().spec().strict()) {
      putOff(bucket, now, window + depth - each);
    }
    long wait = fullIn(bucket, now);
    long left = free(wait, depth, each);
    long least = Math.max(1, claim.atLeast());
    long retry = wait + times(least, each) - depth;
    return Grant.builder()
        .granted(granted, granted == 0 ? -1 : SketchStamp.of(now - origin, each), wait)
        .left(left)
        .retry(left >= least ? 0 : least > claim.burst() ? window : Math.max(1, retry))
        .reset(wait == 0 ? 0 : Math.max(1, wait + times(left + 1, each) - depth))
        .build();
  }

  @Override
  void moveIn(Claim claim, long bucket, LiveBucket state, long now) {
    giveBack(claim, bucket, now);
    charge(claim, state, ceil(fullIn(bucket, now), each(claim)), now);
  }

  /** Returns the microseconds until a permit is back. */
  private static long each(Claim claim) {
    return ceil(claim.bucket().spec().windowMicros(), claim.effectiveLimit());
  }

  private long fullIn(long bucket, long now) {
    int entry = entry(bucket, now);
    return entry < 0 ? 0 : table.until(entry) - now;
  }

  /** Returns the entry that counts a bucket: where it has one of its own, that counts all. */
  private int entry(long bucket, long now) {
    int own = table.own(bucket, bucket, now);
    return own >= 0 ? own : table.shared(bucket, now);
  }

  private static long free(long wait, long depth, long each) {
    return Math.max(0, depth - wait) / each;
  }

  private void charge(long bucket, long micros, long now) {
    if (micros > 0) {
      long before = now + fullIn(bucket, now);
      int entry = table.forCharges(bucket, bucket, now);
      // Added to what the entry has, even if that was another's until now: so all can be credited.
      table.setUntil(entry, Math.max(before, table.until(entry)) + micros);
    }
  }

  private void putOff(long bucket, long now, long wait) {
    long before = now + fullIn(bucket, now);
    int entry = table.forCharges(bucket, bucket, now);
    table.setUntil(entry, Math.max(Math.max(before, table.until(entry)), now + wait));
  }

  /** Credits permits that were taken here, as far as they can't have come back. */
  private void giveBack(Claim claim, long bucket, long now) {
    for (GiveBack each : claim.giveBacks()) {
      long credit = SketchStamp.credit(each, now - origin);
      int entry = credit > 0 ? entry(bucket, now) : -1;
      if (entry >= 0 && !table.isForEver(entry)) {
        table.setUntil(entry, Math.max(now, table.until(entry) - credit));
      }
    }
  }

  private static long ceil(long a, long divisor) {
    return (a + divisor - 1) / divisor;
  }

  private static long times(long permits, long each) {
    return permits > FOREVER / each ? FOREVER : permits * each;
  }
}
