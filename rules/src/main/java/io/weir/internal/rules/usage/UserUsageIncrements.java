package io.weir.internal.rules.usage;

import java.util.HashMap;
import java.util.Map;

/** Sums up the usage that is to be added to the rows of one user. Confine to one thread. */
final class UserUsageIncrements {
  /** By endpoint and hour. */
  final Map<UsageKey, UsageIncrement> hours = new HashMap<>();

  /** By endpoint and day. */
  final Map<UsageKey, UsageIncrement> days = new HashMap<>();

  /** The requests of the user's busiest minute on this node, at all endpoints. */
  long busiestMinute;

  /** Returns the number of rows that are new by this. */
  int addHour(UsageKey hour, UsageIncrement sums) {
    return add(hours, hour, sums);
  }

  void addDay(UsageKey day, UsageIncrement sums) {
    add(days, day, sums);
  }

  private static int add(Map<UsageKey, UsageIncrement> rows, UsageKey key, UsageIncrement sums) {
    UsageIncrement known = rows.get(key);
    int more = 0;
    if (known == null) {
      known = new UsageIncrement();
      rows.put(key, known);
      more = 1;
    }
    known.add(sums);
    return more;
  }

  /** Returns the number of rows of hours that are new by this. */
  int addAll(UserUsageIncrements others) {
    int more = 0;
    for (Map.Entry<UsageKey, UsageIncrement> each : others.hours.entrySet()) {
      more += addHour(each.getKey(), each.getValue());
    }
    others.days.forEach(this::addDay);
    busiestMinute = Math.max(busiestMinute, others.busiestMinute);
    return more;
  }

  /** Returns the sums of all hours, with the busiest minute of all. */
  UsageIncrement total() {
    UsageIncrement total = new UsageIncrement();
    hours.values().forEach(total::add);
    total.peakMinute = busiestMinute;
    return total;
  }

  /** Returns the first hour, in hours since the epoch. */
  long firstHour() {
    return hours.keySet().stream().mapToLong(UsageKey::time).min().orElse(0);
  }

  long requests() {
    return total().requests;
  }

  int size() {
    return hours.size() + days.size() + 1;
  }
}
