package io.weir.internal.rocksdb;

import java.util.Comparator;
import java.util.Optional;
import org.rocksdb.ColumnFamilyHandle;

/**
 * Groups the buckets of one {@link LifetimeClass} that were written in one stretch of time: a
 * column family that takes writes for a stretch of time and is dropped one lifetime later.
 *
 * <p>Used by the writing thread alone.
 */
final class BucketGeneration {
  static final Comparator<BucketGeneration> OLDEST_FIRST =
      Comparator.comparingLong(each -> each.begin);

  private static final String PREFIX = "buckets.";

  private final LifetimeClass lifetime;
  private final long begin;
  private final ColumnFamilyHandle family;
  private boolean empty;
  private boolean dropped;

  BucketGeneration(LifetimeClass lifetime, long begin, ColumnFamilyHandle family, boolean isEmpty) {
    this.lifetime = lifetime;
    this.begin = begin;
    this.family = family;
    this.empty = isEmpty;
  }

  static String name(LifetimeClass lifetime, long begin) {
    return PREFIX + lifetime + "." + begin;
  }

  /** Reads the name of a column family; empty if it isn't a generation. */
  static Optional<BucketGeneration> of(String name, ColumnFamilyHandle family, boolean isEmpty) {
    String[] parts = name.split("\\.", -1);
    if (!name.startsWith(PREFIX) || parts.length != 3) {
      return Optional.empty();
    }
    try {
      long begin = Long.parseLong(parts[2]);
      return Optional.of(
          new BucketGeneration(LifetimeClass.valueOf(parts[1]), begin, family, isEmpty));
    } catch (IllegalArgumentException another) {
      return Optional.empty();
    }
  }

  LifetimeClass lifetime() {
    return lifetime;
  }

  ColumnFamilyHandle family() {
    return family;
  }

  /** Returns whether new buckets are still written to it; afterwards a new generation is made. */
  boolean takes(long now) {
    return now - begin < lifetime.stretchMicros();
  }

  /** Returns whether a bucket with this life, written now, may be stored here. */
  boolean holds(long life, long now) {
    return takes(now) && life <= lifetime.micros();
  }

  /** Returns whether all its buckets have expired. */
  boolean isExpired(long now) {
    return now - begin >= lifetime.stretchMicros() + lifetime.micros();
  }

  /** Returns whether nothing was ever written to it, so that look-ups can skip it. */
  boolean isEmpty() {
    return empty;
  }

  void markWritten() {
    empty = false;
  }

  /** Notes that its column family is dropped and must not be used any more. */
  void markDropped() {
    dropped = true;
  }

  boolean isDropped() {
    return dropped;
  }
}
