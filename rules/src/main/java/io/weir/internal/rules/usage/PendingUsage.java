package io.weir.internal.rules.usage;

import java.util.HashMap;
import java.util.Map;

/** What is to be added to the rows of one user. Confine to one thread. */
final class PendingUsage {
  /** By endpoint and hour. */
  final Map<UsageKey, UsageSums> hours = new HashMap<>();

  /** By endpoint and day. */
  final Map<UsageKey, UsageSums> days = new HashMap<>();

  /** The requests of this node's busiest minute, at all endpoints. */
  long busiestMinute;

  /** Returns how many rows that makes more. */
  int addHour(UsageKey hour, UsageSums sums) {
    return add(hours, hour, sums);
  }

  void addDay(UsageKey day, UsageSums sums) {
    add(days, day, sums);
  }

  private static int add(Map<UsageKey, UsageSums> rows, UsageKey key, UsageSums sums) {
    UsageSums known = rows.get(key);
    int more = 0;
    if (known == null) {
      known = new UsageSums();
      rows.put(key, known);
      more = 1;
    }
    known.add(sums);
    return more;
  }

  /** Returns how many rows of hours that makes more. */
  int addAll(PendingUsage others) {
    int more = 0;
    for (Map.Entry<UsageKey, UsageSums> each : others.hours.entrySet()) {
      more += addHour(each.getKey(), each.getValue());
    }
    others.days.forEach(this::addDay);
    busiestMinute = Math.max(busiestMinute, others.busiestMinute);
    return more;
  }

  /** The sums of all hours, with the busiest minute of all. */
  UsageSums total() {
    UsageSums total = new UsageSums();
    hours.values().forEach(total::add);
    total.peakMinute = busiestMinute;
    return total;
  }

  /** When the first hour began, in hours since the epoch. */
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
