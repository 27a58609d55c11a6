package io.weir.internal.rocksdb;

import java.util.Comparator;
import java.util.Optional;
import org.rocksdb.ColumnFamilyHandle;

/**
 * Buckets of one {@link Lifetime} that were written in one stretch of time: a column family, which
 * takes writes for as long as its lifetime, and is dropped as long after that.
 *
 * <p>Used by the writing thread alone.
 */
final class Generation {
  /** By the time at which they began. */
  static final Comparator<Generation> OLDEST_FIRST = Comparator.comparingLong(each -> each.begin);

  private static final String PREFIX = "buckets.";

  private final Lifetime lifetime;
  private final long begin;
  private final ColumnFamilyHandle family;
  private boolean empty;
  private boolean dropped;

  Generation(Lifetime lifetime, long begin, ColumnFamilyHandle family, boolean isEmpty) {
    this.lifetime = lifetime;
    this.begin = begin;
    this.family = family;
    this.empty = isEmpty;
  }

  /** What the column family of a new generation is called. */
  static String name(Lifetime lifetime, long begin) {
    return PREFIX + lifetime + "." + begin;
  }

  /** The generation that a column family is; nothing if it is another one. */
  static Optional<Generation> of(String name, ColumnFamilyHandle family, boolean isEmpty) {
    String[] parts = name.split("\\.", -1);
    if (!name.startsWith(PREFIX) || parts.length != 3) {
      return Optional.empty();
    }
    try {
      long begin = Long.parseLong(parts[2]);
      return Optional.of(new Generation(Lifetime.valueOf(parts[1]), begin, family, isEmpty));
    } catch (IllegalArgumentException another) {
      return Optional.empty();
    }
  }

  Lifetime lifetime() {
    return lifetime;
  }

  ColumnFamilyHandle family() {
    return family;
  }

  /** Whether buckets are still written to it. After that a new one takes its place. */
  boolean takes(long now) {
    return now - begin < lifetime.micros();
  }

  /** Whether a bucket that is written now may stay here for so long. */
  boolean holds(long life, long now) {
    return takes(now) && life <= lifetime.micros();
  }

  /** Whether all that was ever written to it is over. */
  boolean isOver(long now) {
    return now - begin >= 2 * lifetime.micros();
  }

  /** Whether nothing was ever written to it, so that nothing needs to be looked for. */
  boolean isEmpty() {
    return empty;
  }

  void wasWritten() {
    empty = false;
  }

  /** Its column family is gone, and must not be used any more. */
  void drop() {
    dropped = true;
  }

  boolean isDropped() {
    return dropped;
  }
}
