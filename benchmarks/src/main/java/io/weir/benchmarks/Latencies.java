package io.weir.benchmarks;

import java.util.Arrays;

/**
 * A histogram of durations, with some thousand classes of three percent each.
 *
 * <p>Confine to one thread.
 */
public final class Latencies {
  private static final int BITS = 5;
  private static final int PER_POWER = 1 << BITS;
  private static final int POWERS = Long.SIZE - BITS;

  private final long[] counts = new long[POWERS * PER_POWER];
  private long count;

  /** None yet. */
  public Latencies() {}

  /** Counts one that took so many nanoseconds. */
  public void add(long nanos) {
    counts[indexOf(Math.max(0, nanos))]++;
    count++;
  }

  /** Counts all that another one has counted. */
  public void addAll(Latencies other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
    count += other.count;
  }

  /** Returns the number of recorded durations. */
  public long count() {
    return count;
  }

  /** Forgets all. */
  public void clear() {
    Arrays.fill(counts, 0);
    count = 0;
  }

  /**
   * Returns a percentile, in microseconds.
   *
   * @param percent above 0, at most 100
   * @throws IllegalStateException if none was counted
   */
  public double micros(double percent) {
    if (count == 0) {
      throw new IllegalStateException("nothing was measured");
    }
    long wanted = (long) Math.ceil(count * percent / 100);
    long seen = 0;
    int index = -1;
    while (seen < wanted) {
      seen += counts[++index];
    }
    return middleOf(index) / 1_000;
  }

  private static int indexOf(long nanos) {
    if (nanos < PER_POWER) {
      return (int) nanos;
    }
    int shift = Long.SIZE - 1 - BITS - Long.numberOfLeadingZeros(nanos);
    return shift * PER_POWER + (int) (nanos >>> shift);
  }

  private static double middleOf(int index) {
    if (index < PER_POWER) {
      return index;
    }
    int shift = index / PER_POWER - 1;
    double from = Math.scalb((double) (index - shift * PER_POWER), shift);
    return from + (Math.scalb(1.0, shift) - 1) / 2;
  }
}
