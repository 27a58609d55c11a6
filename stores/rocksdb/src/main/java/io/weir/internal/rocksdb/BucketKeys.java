package io.weir.internal.rocksdb;

import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * The keys of buckets: four bytes for the number of their spec, then the 128 bits of their name. So
 * what all buckets of a policy share is stored once, and they stand beside each other.
 *
 * <p>Used by the writing thread alone.
 */
final class BucketKeys {
  private static final int NAME = 16;

  private final BucketHasher names;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<BucketSpec, Integer> known = new HashMap<>();
  private int last;

  BucketKeys(BucketHasher names) {
    this.names = names;
  }

  /** Forgets all numbers: those of another database follow. */
  void clear() {
    numbers.clear();
    known.clear();
    last = 0;
  }

  /** Takes over a number that is stored. */
  void add(byte[] number, byte[] spec) {
    int stored = ByteBuffer.wrap(number).getInt();
    numbers.put(new String(spec, StandardCharsets.UTF_8), stored);
    last = Math.max(last, stored);
  }

  /** Whether a spec has a number; else it gets one, which has to be stored with its first bucket. */
  boolean isKnown(BucketSpec spec) {
    return known.containsKey(spec) || numbers.containsKey(text(spec));
  }

  /** The number of a spec, as it is stored. */
  byte[] number(BucketSpec spec) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(numberOf(spec)).array();
  }

  private int numberOf(BucketSpec spec) {
    Integer number = known.get(spec);
    if (number == null) {
      number = numbers.computeIfAbsent(text(spec), any -> ++last);
      known.put(spec, number);
    }
    return number;
  }

  /** What is stored of a spec, by its number: its members, which tell it from all others. */
  byte[] written(BucketSpec spec) {
    return text(spec).getBytes(StandardCharsets.UTF_8);
  }

  private static String text(BucketSpec spec) {
    return spec.toString();
  }

  /** The key of a bucket. */
  byte[] of(BucketId bucket) {
    byte[] name = new byte[BucketHasher.LENGTH];
    names.write(bucket, name, 0);
    byte[] key = new byte[Integer.BYTES + NAME];
    ByteBuffer.wrap(key)
        .putInt(numberOf(bucket.spec()))
        .put(Base64.getUrlDecoder().decode(name), 0, NAME);
    return key;
  }}
