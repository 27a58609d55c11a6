package io.weir.internal.rules.usage;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Remembers the busiest minute so far of each caller at each endpoint, by hour and by day, and of
 * each caller at all endpoints, and says by how much it grows. A forgotten caller begins anew, so
 * peaks are too high rather than too low.
 *
 * <p>Confine to one thread.
 */
final class PeakMinutes {
  private static final long MINUTES_AN_HOUR = 60;
  private static final long MINUTES_A_DAY = 24 * MINUTES_AN_HOUR;

  private final int capacity;
  private final Map<UsageKey, Minutes> hours = new HashMap<>();
  private final Map<UsageKey, Minutes> days = new HashMap<>();
  private final Map<String, Minutes> users = new HashMap<>();

  private static final class Minutes {
    long minute = -1;
    long inMinute;
    long busiest;

    /** Adds requests; returns by how much the busiest minute grows. */
    long add(long to, long requests) {
      if (to > minute) {
        minute = to;
        inMinute = 0;
      }
      inMinute += requests; // late requests count in the current minute
      long growth = Math.max(0, inMinute - busiest);
      busiest += growth;
      return growth;
    }
  }

  /**
   * Remembers nothing yet.
   *
   * @param capacity the number of minutes of each kind that it remembers
   */
  PeakMinutes(int capacity) {
    this.capacity = capacity;
  }

  /** Adds requests; returns by how much the busiest minute of the hour grows. */
  long inHour(UsageKey minute, long requests) {
    return growth(hours, minute.at(minute.time() / MINUTES_AN_HOUR), minute, requests);
  }

  /** Adds requests; returns by how much the busiest minute of the day grows. */
  long inDay(UsageKey minute, long requests) {
    return growth(days, minute.at(minute.time() / MINUTES_A_DAY), minute, requests);
  }

  private long growth(Map<UsageKey, Minutes> known, UsageKey key, UsageKey minute, long requests) {
    evictIfFull(known, minute.time());
    return known.computeIfAbsent(key, any -> new Minutes()).add(minute.time(), requests);
  }

  /** Adds requests; returns the busiest minute of a user at all endpoints together. */
  long ofUser(UsageKey minute, long requests) {
    evictIfFull(users, minute.time());
    Minutes minutes = users.computeIfAbsent(minute.userId(), any -> new Minutes());
    minutes.add(minute.time(), requests);
    return minutes.busiest;
  }

  private <K> void evictIfFull(Map<K, Minutes> known, long now) {
    if (known.size() >= capacity) {
      known.values().removeIf(each -> each.minute < now - MINUTES_AN_HOUR);
      if (known.size() > capacity / 2) {
        known.clear(); // or each new key would search the whole map
      }
    }
  }

  void forget(Predicate<String> isForgotten) {
    hours.keySet().removeIf(each -> isForgotten.test(each.userId()));
    days.keySet().removeIf(each -> isForgotten.test(each.userId()));
    users.keySet().removeIf(isForgotten);
  }
}
