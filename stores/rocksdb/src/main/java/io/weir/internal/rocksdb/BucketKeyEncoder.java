package io.weir.internal.rocksdb;

import io.weir.internal.store.BucketNames;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.ExactBucketId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Makes the keys of buckets: four bytes for the number of the spec, then the 128 bits of the name.
 * So the spec of a policy is stored once, and buckets of a policy are neighbours.
 *
 * <p>Used by the writing thread alone.
 */
final class BucketKeyEncoder {
  /** The length of a key in bytes. */
  static final int LENGTH = Integer.BYTES + BucketNames.BYTES;

  private final BucketNames names;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<BucketSpec, Integer> known = new HashMap<>();
  private final List<String> unstored = new ArrayList<>();
  private int last;

  BucketKeyEncoder(BucketHasher names) {
    this.names = new BucketNames(names);
  }

  /** Forgets all numbers, before those of another database are added. */
  void clear() {
    numbers.clear();
    known.clear();
    unstored.clear();
    last = 0;
  }

  void add(byte[] number, byte[] spec) {
    int stored = ByteBuffer.wrap(number).getInt();
    numbers.put(new String(spec, StandardCharsets.UTF_8), stored);
    last = Math.max(last, stored);
  }

  /** Writes the numbers that aren't stored yet, each with its spec. */
  void writeNew(ColumnFamilyHandle family, WriteBatch changes) throws RocksDBException {
    for (String spec : unstored) {
      int number = Objects.requireNonNull(numbers.get(spec));
      changes.put(
          family,
          ByteBuffer.allocate(Integer.BYTES).putInt(number).array(),
          spec.getBytes(StandardCharsets.UTF_8));
    }
  }

  void markStored() {
    unstored.clear();
  }

  private int numberOf(BucketSpec spec) {
    Integer number = known.get(spec);
    if (number == null) {
      String text = spec.toString(); // all of its members
      number = numbers.get(text);
      if (number == null) {
        number = ++last;
        numbers.put(text, number);
        unstored.add(text);
      }
      known.put(spec, number);
    }
    return number;
  }

  /** Returns the prefix of the keys of all buckets of a spec; empty if there never was one. */
  Optional<byte[]> prefix(BucketSpec spec) {
    Integer number = numbers.get(spec.toString());
    return number == null
        ? Optional.empty()
        : Optional.of(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  byte[] of(BucketId bucket) {
    return key(numberOf(bucket.spec()), names.of(bucket));
  }

  /**
   * Returns the key of an exactly counted bucket. The client chooses its parameters, so they are
   * part of the name, and the number is 0, which no spec has.
   */
  byte[] of(ExactBucketId bucket) {
    return key(0, names.of(bucket));
  }

  private static byte[] key(int number, byte[] name) {
    return ByteBuffer.allocate(LENGTH).putInt(number).put(name).array();
  }
}
