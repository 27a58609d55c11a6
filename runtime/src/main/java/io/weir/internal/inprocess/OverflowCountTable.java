package io.weir.internal.inprocess;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts items in a fixed number of small entries. An item belongs to the set of entries of its
 * bucket, and within the set to the entry that has its fingerprint, a part of its hash. An entry is
 * free once its time has passed.
 *
 * <p>If no entry of its set is free, a new item shares one with others: the entry with the least
 * count loses its fingerprint, and until its time has passed it is the only shared entry of the
 * set. So what an item has used is in the entry with its fingerprint, in the shared entry of its
 * set, or in both, and maybe with that of others.
 *
 * <p>A time is kept in units of 2<sup>unitBits</sup> µs since an origin, for eight years. The
 * coarser the unit, the longer the fingerprints. Allocates memory with the first entry.
 *
 * <p>Guarded by the monitor of the group.
 */
final class OverflowCountTable {
  /** The size of a set: large enough that all sets fill up at nearly the same time. */
  static final int WAYS = 32;

  /** The sum of a full entry, which is more than any limit. */
  static final long FULL = Integer.MAX_VALUE;

  private static final int MIN_MARK_BITS = 16;
  private static final long SHARED = 0;

  private final int ways;
  private final int sets;
  private final int unitBits;
  private final int markBits;
  private final long maxUntil;
  private final long origin;

  /** The time of each entry, and in the lowest bits its fingerprint. */
  private long @Nullable [] heads;

  private int @Nullable [] sums;

  /**
   * Makes an empty table.
   *
   * @param entries 1 and more
   * @param unitBits the binary logarithm of the unit of time
   * @param origin no time is earlier
   */
  OverflowCountTable(int entries, int unitBits, long origin) {
    this.ways = Math.min(WAYS, entries);
    this.sets = entries / ways;
    this.unitBits = unitBits;
    this.markBits = MIN_MARK_BITS + unitBits;
    this.maxUntil = (1L << Long.SIZE - markBits) - 1;
    this.origin = origin;
  }

  /** Returns the entry with the fingerprint of an item of a bucket; below 0 if there is none. */
  int own(long bucket, long item, long now) {
    return find(bucket, mark(item), now);
  }

  /** Returns the shared entry of the set of a bucket; below 0 if there is none. */
  int shared(long bucket, long now) {
    return find(bucket, SHARED, now);
  }

  private int find(long bucket, long mark, long now) {
    long[] all = heads;
    if (all == null) {
      return -1;
    }
    long passed = now - origin >> unitBits;
    int begin = begin(bucket);
    for (int i = begin; i < begin + ways; i++) {
      if (all[i] >>> markBits > passed && (all[i] & (1L << markBits) - 1) == mark) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns the entry for new charges of an item: its own, a free one, or else that which is shared
   * from now on. A new one counts nothing, and stays free until it has a time.
   */
  int forCharges(long bucket, long item, long now) {
    int own = own(bucket, item, now);
    return own >= 0 ? own : make(made(), bucket, item, now);
  }

  private int make(long[] all, long bucket, long item, long now) {
    long passed = now - origin >> unitBits;
    int begin = begin(bucket);
    int least = begin;
    for (int i = begin; i < begin + ways; i++) {
      if (all[i] >>> markBits <= passed) {
        all[i] = mark(item);
        clearSum(i);
        return i;
      }
      least = isLess(i, least) ? i : least;
    }
    int shared = shared(bucket, now);
    if (shared >= 0) {
      return shared;
    }
    all[least] &= -1L << markBits;
    return least;
  }

  private boolean isLess(int entry, int other) {
    return sum(entry) != sum(other) ? sum(entry) < sum(other) : until(entry) < until(other);
  }

  /** Returns the time from which an entry is free: that which was set, or up to a unit more. */
  long until(int entry) {
    return origin + (heads()[entry] >>> markBits << unitBits);
  }

  /** Returns whether the time of an entry is the last one that there is, and maybe too early. */
  boolean isForEver(int entry) {
    return heads()[entry] >>> markBits == maxUntil;
  }

  void setUntil(int entry, long time) {
    long units = Math.min(maxUntil, (time - origin - 1 >> unitBits) + 1);
    heads()[entry] = units << markBits | heads()[entry] & (1L << markBits) - 1;
  }

  /** Returns the sum of an entry, {@link #FULL} for all larger ones. */
  long sum(int entry) {
    int[] all = sums;
    return all == null ? 0 : all[entry];
  }

  private void clearSum(int entry) {
    int[] all = sums;
    if (all != null) {
      all[entry] = 0;
    }
  }

  /** Changes a sum. It is never less than 0, and once too large it stays so. */
  void add(int entry, long permits) {
    if (permits == 0) {
      return;
    }
    int[] all = sums;
    if (all == null) {
      all = new int[heads().length];
      sums = all;
    }
    long before = all[entry];
    boolean isTooLarge = before == FULL || permits > FULL - before;
    all[entry] = isTooLarge ? (int) FULL : (int) Math.max(0, before + permits);
  }

  private int begin(long bucket) {
    return (int) Math.multiplyHigh(bucket >>> 1, 2L * sets) * ways;
  }

  private long mark(long hash) {
    return Math.max(1, hash & (1L << markBits) - 1);
  }

  private long[] made() {
    long[] known = heads;
    if (known == null) {
      known = new long[sets * ways];
      heads = known;
    }
    return known;
  }

  private long[] heads() {
    return Objects.requireNonNull(heads);
  }
}
