package io.weir.internal.algorithm;

import io.weir.store.BucketSpec;

/**
 * TOKEN_BUCKET with a refill: a used bucket gets a number of permits back at once, each whole
 * window after its first use.
 *
 * <p><b>How this works.</b> What is counted is what was used. The first take from a full bucket
 * starts a clock. At the end of each step, which is a window long, the refill is taken off what was
 * used; at 0 the bucket is as new, and the clock stops. So a caller that comes back after a day
 * finds all of it, and the steps needn't be where those of other callers are.
 *
 * <p>Numbers: 10 permits, 1 comes back each hour. All 10 are used at 9:20; one more is there at
 * 10:20, and if it is used at 10:25, the next at 11:20. No request comes until 14:30: then 4 are
 * there, and the next comes back at 15:20.
 *
 * <p>The refill is the effective limit of the claims, and no part of the bucket: another tier has
 * another, and a node that counts by itself has its share of it. The steps that ended before a
 * claim brought back what the claim before them said; with this one another may begin.
 *
 * <p>A <b>strict</b> one makes callers pause: when it refuses, the step ends a whole window after
 * that, unless it ends later anyhow.
 *
 * <p>A step is the slot: permits are charged to it and spent in it, so leases never reach beyond a
 * refill. The stamp is the end of the step, as it was when the permits were granted. What is given
 * back of the running step is credited. Of the step before, some may have been refilled already: it
 * is credited up to what was still used right after that refill. What is older is not.
 *
 * <p>Invariant: in any time t, at most limit + refill × (⌊t ÷ window⌋ + 1) permits are spent. Steps
 * are at least a window apart, so there are at most ⌊t ÷ window⌋ + 1 ends of steps in it. At each
 * the count falls by the refill, and it is never more than the limit after a grant; what is given
 * back of permits that were spent before is at most what was used when their step had ended.
 */
final class IntervalRefillBucket extends BucketState {
  static final int CODE = 6;

  private final long window;
  private final boolean strict;
  private long refill;
  private long burst;
  private long used;

  /** Permits that were used right after the last refill and haven't been given back since. */
  private long refundable;

  // The last step began with the first, the running one with the second, and ends with the third.
  private long before;
  private long begin;
  private long end;

  IntervalRefillBucket(BucketSpec spec, long minLife) {
    super(minLife);
    this.window = spec.windowMicros();
    this.strict = spec.strict();
  }

  private IntervalRefillBucket(IntervalRefillBucket original) {
    super(original);
    window = original.window;
    refill = original.refill;
    strict = original.strict;
    burst = original.burst;
    used = original.used;
    refundable = original.refundable;
    before = original.before;
    begin = original.begin;
    end = original.end;
  }

  @Override
  public BucketState copy() {
    return new IntervalRefillBucket(this);
  }

  @Override
  public long expiresAt() {
    return used == 0 ? lastClaimAt() : endOfStep(steps(used));
  }

  @Override
  public long steadyUntil() {
    return used == 0 ? lastClaimAt() : end;
  }

  @Override
  int code() {
    return CODE;
  }

  @Override
  long window() {
    return window;
  }

  @Override
  void write(BucketEncoder writer) {
    writer.put(used);
    if (used > 0) {
      writer.put(refill);
      writer.put(refundable);
      writer.put(end - lastClaimAt());
      if (strict) {
        writer.put(lastClaimAt() - begin);
        writer.put(begin - before);
      }
    }
  }

  @Override
  void read(BucketDecoder reader) {
    used = reader.number("the permits used", 0, MAX_USED);
    if (used > 0) {
      refill = reader.number("the refill", 1, MAX_PERMITS);
      refundable = reader.number("the permits that were used after the last refill", 0, used);
      end = lastClaimAt() + reader.number("the time until the next refill", 1, window);
      begin = end - window;
      before = begin - window;
      if (strict) {
        begin = lastClaimAt() - reader.number("the age of the step", 0, lastClaimAt());
        before = begin - reader.number("the length of the step before", 0, begin);
      }
    }
  }

  @Override
  boolean keeps(long inForce, long atOnce) {
    return inForce == refill;
  }

  @Override
  void roll(long now, long effectiveLimit, long atOnce) {
    if (used > 0 && now >= end) {
      endSteps(now);
    }
    burst = atOnce;
    refill = effectiveLimit;
  }

  private void endSteps(long now) {
    long steps = (now - end) / window + 1;
    used = Math.max(0, used - SaturatingMath.divide(steps, refill, 1));
    refundable = used;
    before = steps == 1 ? begin : end + (steps - 2) * window;
    begin = end + (steps - 1) * window;
    end = begin + window;
  }

  @Override
  long most() {
    return burst;
  }

  @Override
  long free() {
    return Math.max(0, burst - used);
  }

  @Override
  void charge(long permits) {
    if (permits == 0) {
      return;
    }
    if (used == 0) {
      begin = lastClaimAt();
      before = begin;
      end = begin + window;
      refundable = 0;
    }
    used = Math.min(MAX_USED, SaturatingMath.add(used, permits));
  }

  @Override
  void giveBack(long stamp, long permits) {
    if (stamp > before && stamp <= begin) {
      long last = Math.min(refundable, permits);
      refundable -= last;
      used -= last;
    } else if (stamp > begin && stamp <= end) {
      used = Math.max(0, used - permits);
      refundable = Math.min(refundable, used);
    }
  }

  @Override
  void refused(long at) {
    if (strict && used > 0) {
      end = Math.max(end, Math.min(at, lastClaimAt()) + window);
    }
  }

  @Override
  long stamp() {
    return used == 0 ? lastClaimAt() + window : end;
  }

  @Override
  long life(long now) {
    return stamp() - now;
  }

  @Override
  long until(long wanted) {
    return endOfStep(steps(used - (burst - wanted)));
  }

  /** Returns the number of refills until this many permits are back. */
  private long steps(long permits) {
    return (permits + refill - 1) / refill;
  }

  /** Returns when this many steps have ended, including the running one. */
  private long endOfStep(long steps) {
    return SaturatingMath.add(
        end, Math.min(SaturatingMath.FOREVER, SaturatingMath.divide(steps - 1, window, 1)));
  }

  /**
   * Returns the time for which a lease is worth holding: less than a step, which is one slot and
   * too long for the needs of others.
   */
  static long lease(long window, long effectiveLimit, long burst, long minLife) {
    return window / 10;
  }

  /**
   * Returns the time for which a charge counts after the end of its step: until an empty bucket is
   * full.
   */
  static long counts(BucketSpec spec, long effectiveLimit, long burst) {
    return spec.refillMicros(burst, effectiveLimit) - spec.windowMicros();
  }
}
