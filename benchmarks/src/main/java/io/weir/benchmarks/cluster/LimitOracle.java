package io.weir.benchmarks.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts admissions against a limit, by nothing but the clocks of the admitted callers.
 *
 * <p>An admission counts in a window, or in an interval, if all of it lies inside, from the
 * question to the answer: so there are no false violations. Where it lies across the edge of a
 * fixed window its mark decides, if it has one, the store's own word for the window it charged; one
 * whose mark names neither counts in none for certain. What could be hidden that way is reported as
 * well: the same count with each admission in every window and interval that it touches, and the
 * number of marks that name neither.
 *
 * <p>Immutable.
 */
public final class LimitOracle {
  private final Admissions admissions;
  private final Limit limit;
  private final boolean marked;
  private final Map<Long, Window> windows = new TreeMap<>();
  private long unplaced;

  /**
   * Counts.
   *
   * @param marked whether the mark of each names the fixed window that the store has charged
   */
  public LimitOracle(Admissions admissions, Limit limit, boolean marked) {
    this.admissions = admissions;
    this.limit = limit;
    this.marked = marked;
    for (int i = 0; i < admissions.count(); i++) {
      place(i);
    }
  }

  /**
   * Computes the worst excess of a window, or of an interval of a window's length, beyond the
   * limit.
   *
   * @param percent of the limit, counted for certain
   * @param atMost the same if every admission counts wherever it may
   */
  public record Excess(double percent, double atMost) {}

  /** Returns the worst there was. */
  public Excess excess() {
    return limit.fixed() ? fixed() : sliding();
  }

  private Excess fixed() {
    long worst = 0;
    long most = 0;
    for (Window each : windows.values()) {
      worst = Math.max(worst, each.counted);
      most = Math.max(most, each.touched);
    }
    return new Excess(beyond(worst), beyond(most));
  }

  private static final class Window {
    private long counted;
    private long touched;
  }

  private void place(int index) {
    long first = Math.floorDiv(admissions.before(index), limit.windowMicros());
    long last = Math.floorDiv(admissions.after(index), limit.windowMicros());
    long mark = admissions.mark(index);
    for (long number = first; number <= last; number++) {
      Window window = windows.computeIfAbsent(number, any -> new Window());
      window.touched++;
      window.counted += first == last || marked && mark == number ? 1 : 0;
    }
    unplaced += marked && first < last && (mark < first || mark > last) ? 1 : 0;
  }

  /**
   * Returns how many admissions across the edge of a fixed window have a mark that names no window
   * that they touch. Permits of the store always have one that does.
   */
  long unplaced() {
    return unplaced;
  }

  private double beyond(long count) {
    return 100.0 * Math.max(0, count - limit.permits()) / limit.permits();
  }

  // The worst interval ends with an answer, or begins with one. [t, t + W) and (t − W, t] are the
  // same where time goes by microseconds.
  private Excess sliding() {
    long[] asked = admissions.asked();
    long[] told = admissions.told();
    long worst = 0;
    long most = 0;
    int askedBefore = 0;
    int askedWithin = 0;
    for (int i = 0; i < told.length; i++) {
      while (askedBefore < asked.length && asked[askedBefore] <= told[i] - limit.windowMicros()) {
        askedBefore++;
      }
      while (askedWithin < asked.length && asked[askedWithin] < told[i] + limit.windowMicros()) {
        askedWithin++;
      }
      worst = Math.max(worst, i + 1 - askedBefore);
      most = Math.max(most, askedWithin - firstOf(told, i));
    }
    return new Excess(beyond(worst), beyond(most));
  }

  private static int firstOf(long[] told, int index) {
    int first = index;
    while (first > 0 && told[first - 1] == told[index]) {
      first--;
    }
    return first;
  }

  /**
   * Computes the worst excess of any interval beyond a burst of a whole limit and the refill since,
   * in percent of the limit: the promise of a token bucket.
   *
   * @param grain by how much the bucket's clock may be wrong
   */
  double beyondBucket(long grain) {
    long[] asked = admissions.asked();
    long[] told = admissions.told();
    double perMicro = (double) limit.permits() / limit.windowMicros();
    double least = Double.POSITIVE_INFINITY;
    double worst = 0;
    int next = 0;
    for (int i = 0; i < told.length; i++) {
      while (next < asked.length && asked[next] <= told[i]) {
        least = Math.min(least, next - perMicro * (asked[next] - told[0]));
        next++;
      }
      double inside = i + 1 - least;
      double allowed = limit.permits() + perMicro * (told[i] - told[0] + grain);
      worst = Math.max(worst, inside - allowed);
    }
    return 100 * worst / limit.permits();
  }

  /**
   * Computes the share of the limit that each window within the load used: windows of the clock, or
   * consecutive ones from the start of the load. Excess of one window doesn't compensate for
   * another.
   *
   * @return in percent, one for each window
   */
  List<Double> used(long from, long to) {
    long window = limit.windowMicros();
    long start = limit.fixed() ? -Math.floorDiv(-from, window) * window : from;
    List<Double> used = new ArrayList<>();
    for (long at = start; at + window <= to; at += window) {
      used.add(100.0 * Math.min(limit.permits(), within(at, at + window)) / limit.permits());
    }
    return used;
  }

  private long within(long from, long to) {
    if (limit.fixed()) {
      Window window = windows.get(from / limit.windowMicros());
      return window == null ? 0 : window.counted;
    }
    long count = 0;
    for (int i = 0; i < admissions.count(); i++) {
      count += admissions.before(i) >= from && admissions.after(i) < to ? 1 : 0;
    }
    return count;
  }
}
