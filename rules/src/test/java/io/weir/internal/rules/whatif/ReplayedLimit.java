package io.weir.internal.rules.whatif;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Decides single requests of one caller in the simplest way that there is. */
interface ReplayedLimit {
  long MICROS = 1_000_000;

  /** Decides a request at a time in microseconds since the epoch, not before the last one. */
  boolean admits(long micros);

  /** Counts by windows at multiples of the length. */
  static ReplayedLimit fixed(long seconds, long limit) {
    Map<Long, Long> used = new HashMap<>();
    return micros -> {
      long window = Math.floorDiv(micros, seconds * MICROS);
      return used.merge(window, 1L, (old, one) -> Math.min(limit + 1, old + 1)) <= limit;
    };
  }

  /** Counts by months, weeks or days of a zone; 0 days are months. */
  static ReplayedLimit calendar(int days, ZoneId zone, long limit) {
    Map<LocalDate, Long> used = new HashMap<>();
    return micros -> {
      LocalDate day = Instant.ofEpochSecond(micros / MICROS).atZone(zone).toLocalDate();
      LocalDate first =
          switch (days) {
            case 0 -> day.withDayOfMonth(1);
            case 7 -> day.with(TemporalAdjusters.previousOrSame(java.time.DayOfWeek.MONDAY));
            default -> day;
          };
      return used.merge(first, 1L, (old, one) -> Math.min(limit + 1, old + 1)) <= limit;
    };
  }

  /** Remembers each admission. */
  static ReplayedLimit log(long seconds, long limit) {
    Deque<Long> admitted = new ArrayDeque<>();
    return micros -> {
      while (!admitted.isEmpty() && admitted.peekFirst() <= micros - seconds * MICROS) {
        admitted.removeFirst();
      }
      boolean isAdmitted = admitted.size() < limit;
      if (isAdmitted) {
        admitted.addLast(micros);
      }
      return isAdmitted;
    };
  }

  /** Counts by slots, of which one more than the window has must keep the limit. */
  static ReplayedLimit slots(long seconds, int slots, long limit) {
    Deque<Long> admitted = new ArrayDeque<>();
    return micros -> {
      long slot = Math.floorDiv(micros * slots, seconds * MICROS);
      while (!admitted.isEmpty() && admitted.peekFirst() < slot - slots) {
        admitted.removeFirst();
      }
      boolean isAdmitted = admitted.size() < limit;
      if (isAdmitted) {
        admitted.addLast(slot);
      }
      return isAdmitted;
    };
  }

  /** Refills continuously, to a burst of the limit. */
  static ReplayedLimit bucket(long seconds, long limit) {
    long one = seconds * MICROS; // a permit, in parts of which limit come back each microsecond
    long[] state = {limit * one, Long.MIN_VALUE};
    return micros -> {
      if (state[1] != Long.MIN_VALUE) {
        long elapsed = Math.min(micros - state[1], one);
        state[0] = Math.min(limit * one, state[0] + elapsed * limit);
      }
      state[1] = micros;
      boolean isAdmitted = state[0] >= one;
      state[0] -= isAdmitted ? one : 0;
      return isAdmitted;
    };
  }
}
