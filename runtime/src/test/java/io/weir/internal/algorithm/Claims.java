package io.weir.internal.algorithm;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Claims of one bucket, with the effective limit and burst that are in force until changed. */
record Claims(BucketId bucket, long effectiveLimit, long burst) {
  static Claims of(Algorithm algorithm, long windowMicros, long effectiveLimit, long burst) {
    BucketSpec spec =
        BucketSpec.builder("test")
            .algorithm(algorithm)
            .window(Duration.of(windowMicros, ChronoUnit.MICROS))
            .build();
    return new Claims(new BucketId(spec, Key.everybody()), effectiveLimit, burst);
  }

  static Claims of(Algorithm algorithm, long windowMicros, long effectiveLimit) {
    return of(algorithm, windowMicros, effectiveLimit, effectiveLimit);
  }

  /** A bucket that so many permits come back to at once each window. */
  static Claims refilled(long windowMicros, long limit, long refill, boolean strict) {
    BucketSpec spec =
        BucketSpec.builder("test")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .window(Duration.of(windowMicros, ChronoUnit.MICROS))
            .refill(true)
            .strict(strict)
            .build();
    return new Claims(new BucketId(spec, Key.everybody()), refill, limit);
  }

  Claims with(long newLimit, long newBurst) {
    return new Claims(bucket, newLimit, newBurst);
  }

  BucketState state(long minLife) {
    return BucketKind.bucket(bucket.spec(), minLife);
  }

  long window() {
    return bucket.spec().windowMicros();
  }

  boolean leaks() {
    return BucketSpec.hasBurst(bucket.spec().algorithm());
  }

  long refill() {
    return bucket.spec().hasRefill() ? effectiveLimit : 0;
  }

  /** The permits of a fresh bucket. */
  long most() {
    return leaks() ? burst : effectiveLimit;
  }

  Claim take(long permits) {
    return claim(permits, permits, 0, List.of(), 0);
  }

  Claim upTo(long permits) {
    return claim(permits, 0, 0, List.of(), 0);
  }

  Claim look(long permits) {
    return Claim.peek(bucket, permits, effectiveLimit, burst);
  }

  Claim lease(long needed, long extra) {
    return claim(needed, needed, extra, List.of(), 0);
  }

  Claim owe(long permits) {
    return claim(0, 0, 0, List.of(), permits);
  }

  Claim back(long stamp, long permits) {
    return claim(0, 0, 0, List.of(new GiveBack(stamp, permits)), 0);
  }

  /** Reports a refusal that the store doesn't know of. */
  Claim refused(long at) {
    return Claim.builder(bucket, effectiveLimit, burst).refusedAt(at).build();
  }

  Claim far(long needed, long far, GiveBack... settled) {
    return Claim.builder(bucket, effectiveLimit, burst)
        .needed(needed)
        .atLeast(needed)
        .far(far)
        .giveBacks(List.of(settled))
        .build();
  }

  private Claim claim(long needed, long atLeast, long extra, List<GiveBack> giveBacks, long debt) {
    return Claim.builder(bucket, effectiveLimit, burst)
        .needed(needed)
        .atLeast(atLeast)
        .extra(extra)
        .giveBacks(giveBacks)
        .debt(debt)
        .build();
  }
}
