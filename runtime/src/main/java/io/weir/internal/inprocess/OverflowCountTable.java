package io.weir.internal.inprocess;

import io.weir.store.BucketId;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Counts items in a table of fixed size: each item has one cell in each of {@value #ROWS} rows, and
 * shares it with whatever else falls there, as in a count-min sketch. A cell's value is too high
 * for an item if another one shares the cell; the row with the least value is the closest.
 *
 * <p>Allocates memory with the first write. The hash has a random seed, so that no caller can
 * choose keys that share all cells with another caller's.
 *
 * <p>Safe for concurrent use, without locks.
 */
final class OverflowCountTable {
  static final int ROWS = 4;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final int columnBits;
  private final long seed = new SplittableRandom().nextLong();
  private volatile @Nullable AtomicLongArray cells;

  /**
   * Makes an empty table.
   *
   * @param columnBits the binary logarithm of the cells of a row, 1 to 28
   */
  OverflowCountTable(int columnBits) {
    this.columnBits = columnBits;
  }

  /** Returns the hash of a bucket in one slot of time; slot 0 if time isn't divided. */
  long hash(BucketId bucket, long slot) {
    long hash = seed ^ mix(slot);
    hash = mix(hash ^ bucket.spec().hashCode());
    String key = bucket.encodedKey();
    for (int i = 0; i < key.length(); i++) {
      hash = mix(hash ^ key.charAt(i));
    }
    return hash;
  }

  /** Returns the smallest value of its rows in a reading; 0 before the first write. */
  long least(long hash, LongUnaryOperator reading) {
    AtomicLongArray all = cells;
    if (all == null) {
      return 0;
    }
    long least = Long.MAX_VALUE;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, reading.applyAsLong(all.get(cell(hash, row))));
    }
    return least;
  }

  /** Changes the cell of each row. */
  void update(long hash, LongUnaryOperator change) {
    AtomicLongArray all = made();
    for (int row = 0; row < ROWS; row++) {
      all.updateAndGet(cell(hash, row), change);
    }
  }

  private AtomicLongArray made() {
    AtomicLongArray known = cells;
    return known != null ? known : make();
  }

  private synchronized AtomicLongArray make() {
    AtomicLongArray known = cells;
    if (known == null) {
      known = new AtomicLongArray(ROWS << columnBits);
      cells = known;
    }
    return known;
  }

  private int cell(long hash, int row) {
    return row << columnBits | (int) (mix(hash + row * GOLDEN) >>> -columnBits);
  }

  // The finalizer of SplittableRandom: each bit of the result depends on each of the input.
  private static long mix(long bits) {
    long mixed = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
