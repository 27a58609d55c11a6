package io.weir.internal.inprocess;

import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.math.BigInteger;

/**
 * Counts the buckets of bucket algorithms in an {@link OverflowCountTable}: a cell holds the time
 * at which a bucket is full again. A permit puts that off by as long as one takes to come back; a
 * request is admitted if it isn't further away than a whole burst takes.
 *
 * <p>Invariant: a cell's time is at least that of each bucket in it. So nothing is given back here:
 * what one bucket returned might be what another has used. Each admission costs a microsecond more
 * than it should, which outweighs that times are rounded.
 *
 * <p>With a refill, permits come back evenly instead of at once, at the same rate. A strict bucket
 * that refuses begins its wait anew.
 *
 * <p>Needs the monitor of a bucket's group for claims of that bucket; otherwise safe for concurrent
 * use.
 */
final class TokenBucketSketch {
  private static final long FOREVER = 1L << 52;

  private final OverflowCountTable table;

  /** Makes a table with rows of 2<sup>columnBits</sup> cells. */
  TokenBucketSketch(int columnBits) {
    table = new OverflowCountTable(columnBits);
  }

  Grant execute(Claim claim, long now) {
    long rate = rate(claim);
    long window = claim.bucket().spec().windowMicros();
    long depth = ceil(claim.burst(), window, rate);
    charge(claim.bucket(), claim.debt() == 0 ? 0 : ceil(claim.debt(), window, rate) + 1, now);
    long wait = fullIn(claim.bucket(), now);
    long granted = Math.min(claim.needed(), free(wait, depth, claim, rate, window));
    granted = granted < claim.atLeast() ? 0 : granted;
    if (granted > 0) {
      charge(claim.bucket(), ceil(granted, window, rate) + 1, now);
    } else if (claim.needed() > 0 && claim.bucket().spec().strict()) {
      putOff(claim.bucket(), now + window + depth - ceil(1, window, rate));
    }
    wait = fullIn(claim.bucket(), now);
    long left = free(wait, depth, claim, rate, window);
    long least = Math.max(1, claim.atLeast());
    long retry = wait + ceil(least, window, rate) - depth;
    return Grant.builder()
        .granted(granted, -1, wait)
        .left(left)
        .retry(left >= least ? 0 : least > claim.burst() ? window : Math.max(1, retry))
        .reset(wait == 0 ? 0 : Math.max(1, wait + ceil(left + 1, window, rate) - depth))
        .build();
  }

  /** Returns the permits that a bucket has used and that haven't come back, or more. */
  long used(Claim claim, long now) {
    long wait = fullIn(claim.bucket(), now);
    return ceil(wait, rate(claim), claim.bucket().spec().windowMicros());
  }

  private static long rate(Claim claim) {
    BucketSpec spec = claim.bucket().spec();
    long limit = claim.effectiveLimit();
    return spec.refill() > 0 ? Math.min(spec.refill(), limit) : limit;
  }

  private long fullIn(BucketId bucket, long now) {
    return Math.max(0, table.least(table.hash(bucket, 0), cell -> cell) - now);
  }

  private static long free(long wait, long depth, Claim claim, long rate, long window) {
    if (wait >= depth) {
      return 0;
    }
    return Math.min(claim.burst(), wait == 0 ? claim.burst() : floor(depth - wait, rate, window));
  }

  // All cells of a bucket are raised to the time that the closest one needs: more isn't necessary.
  private void charge(BucketId bucket, long micros, long now) {
    if (micros > 0) {
      putOff(bucket, now + fullIn(bucket, now) + micros);
    }
  }

  private void putOff(BucketId bucket, long fullAt) {
    table.update(table.hash(bucket, 0), cell -> Math.max(cell, fullAt));
  }

  private static long floor(long a, long b, long divisor) {
    return divide(a, b, 0, divisor);
  }

  private static long ceil(long a, long b, long divisor) {
    return divide(a, b, divisor - 1, divisor);
  }

  /** (a × b + plus) ÷ divisor, at most {@link #FOREVER}. */
  private static long divide(long a, long b, long plus, long divisor) {
    if (Math.multiplyHigh(a, b) == 0 && a * b >= 0 && a * b <= Long.MAX_VALUE - plus) {
      return Math.min(FOREVER, (a * b + plus) / divisor);
    }
    return BigInteger.valueOf(a)
        .multiply(BigInteger.valueOf(b))
        .add(BigInteger.valueOf(plus))
        .divide(BigInteger.valueOf(divisor))
        .min(BigInteger.valueOf(FOREVER))
        .longValueExact();
  }
}
