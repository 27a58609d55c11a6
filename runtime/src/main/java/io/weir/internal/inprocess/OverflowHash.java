package io.weir.internal.inprocess;

import io.weir.store.BucketId;

/**
 * Computes hashes of buckets with a seed, so that no caller can choose keys that fall into the same
 * group, or share an entry with another caller's.
 *
 * <p>Immutable.
 */
final class OverflowHash {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final long seed;

  OverflowHash(long seed) {
    this.seed = seed;
  }

  long of(BucketId bucket) {
    long hash = mix(seed ^ bucket.inStore().spec().hashCode());
    String key = bucket.encodedKey();
    for (int i = 0; i < key.length(); i++) {
      hash = mix(hash ^ key.charAt(i));
    }
    return hash;
  }

  static long of(long bucket, long slot) {
    return mix(bucket ^ mix(slot));
  }

  // The generator of SplittableRandom: each bit of the result depends on each of the input.
  private static long mix(long bits) {
    long mixed = bits + GOLDEN;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
