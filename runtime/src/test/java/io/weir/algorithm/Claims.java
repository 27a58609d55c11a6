package io.weir.algorithm;

import io.weir.Key;
import io.weir.Shape;
import io.weir.annotation.Algorithm;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Claims of one bucket, with the capacity and burst that are in force until told otherwise. */
record Claims(Bucket bucket, long capacity, long burst) {
  static Claims of(Algorithm algorithm, long windowMicros, long capacity, long burst) {
    Shape shape = new Shape("test", algorithm, Duration.of(windowMicros, ChronoUnit.MICROS), 0);
    return new Claims(new Bucket(shape, Key.everybody()), capacity, burst);
  }

  static Claims of(Algorithm algorithm, long windowMicros, long capacity) {
    return of(algorithm, windowMicros, capacity, capacity);
  }

  Claims with(long newCapacity, long newBurst) {
    return new Claims(bucket, newCapacity, newBurst);
  }

  BucketState state(long minLife) {
    return BucketState.of(bucket.shape(), minLife);
  }

  long window() {
    return bucket.shape().windowMicros();
  }

  boolean leaks() {
    Algorithm algorithm = bucket.shape().algorithm();
    return algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
  }

  /** What a fresh bucket has at once. */
  long most() {
    return leaks() ? burst : capacity;
  }

  Claim take(long permits) {
    return claim(permits, permits, 0, List.of(), 0);
  }

  Claim upTo(long permits) {
    return claim(permits, 0, 0, List.of(), 0);
  }

  Claim look(long permits) {
    return Claim.look(bucket, permits, capacity, burst);
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

  private Claim claim(long needed, long atLeast, long extra, List<GiveBack> backs, long owed) {
    return new Claim(bucket, needed, atLeast, extra, backs, owed, capacity, burst);
  }
}
