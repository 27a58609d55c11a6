package io.weir.internal.rules.whatif;

import java.util.Arrays;

/**
 * Holds the hours, or else the days, in which one caller sent requests, in the order of time.
 * Confine to one thread.
 */
final class CallerHours {
  private static final int FEW = 24;

  private long[] hours = new long[FEW];
  private long[] requests = new long[FEW];
  private long[] peaks = new long[FEW];
  private int size;

  /**
   * Adds an hour.
   *
   * @param hour its number since the epoch, above that of the last one
   * @param peak an upper bound of the requests of its busiest minute
   */
  void add(long hour, long number, long peak) {
    if (size == hours.length) {
      hours = Arrays.copyOf(hours, 2 * size);
      requests = Arrays.copyOf(requests, 2 * size);
      peaks = Arrays.copyOf(peaks, 2 * size);
    }
    hours[size] = hour;
    requests[size] = number;
    peaks[size] = peak;
    size++;
  }

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  long hour(int at) {
    return hours[at];
  }

  long requests(int at) {
    return requests[at];
  }

  long peak(int at) {
    return peaks[at];
  }
}
