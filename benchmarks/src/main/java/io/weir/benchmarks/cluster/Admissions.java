package io.weir.benchmarks.cluster;

import java.util.Arrays;
import java.util.List;

/**
 * Records when callers were admitted, by their own clocks: read before a request and after its
 * answer.
 *
 * <p>Confine to one thread.
 */
public final class Admissions {
  private long[] before = new long[1_024];
  private long[] after = new long[1_024];
  private long[] mark = new long[1_024];
  private int count;

  /** None yet. */
  public Admissions() {}

  /** Adds one, with a number of whatever meaning. */
  public void add(long askedAt, long toldAt, long markOfIt) {
    if (count == before.length) {
      before = Arrays.copyOf(before, 2 * count);
      after = Arrays.copyOf(after, 2 * count);
      mark = Arrays.copyOf(mark, 2 * count);
    }
    before[count] = askedAt;
    after[count] = toldAt;
    mark[count] = markOfIt;
    count++;
  }

  /** Returns those of all these. */
  public static Admissions of(List<Admissions> all) {
    Admissions sum = new Admissions();
    for (Admissions each : all) {
      for (int i = 0; i < each.count; i++) {
        sum.add(each.before[i], each.after[i], each.mark[i]);
      }
    }
    return sum;
  }

  /** Returns the number of admissions. */
  public int count() {
    return count;
  }

  /** Returns when it was asked. */
  public long before(int index) {
    return before[index];
  }

  /** Returns when its answer arrived. */
  public long after(int index) {
    return after[index];
  }

  /** Returns the answer's view of its fixed window. */
  public long mark(int index) {
    return mark[index];
  }

  /** Returns all times of asking, in order. */
  long[] asked() {
    return sorted(before);
  }

  /** Returns the times of all answers, in order. */
  long[] told() {
    return sorted(after);
  }

  private long[] sorted(long[] times) {
    long[] sorted = Arrays.copyOf(times, count);
    Arrays.sort(sorted);
    return sorted;
  }
}
