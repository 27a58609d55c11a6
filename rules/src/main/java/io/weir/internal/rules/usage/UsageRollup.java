package io.weir.internal.rules.usage;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Sums up minutes to rows of hours, days and totals.
 *
 * <p>Bounded: if the database is unavailable for too long, further minutes are counted as dropped.
 *
 * <p>Confine to the writer's thread.
 */
final class UsageRollup implements MinuteUsageListener, UsageBuffer {
  private static final long MINUTES_AN_HOUR = 60;
  private static final long HOURS_A_DAY = 24;

  private final DroppedUsageCounter dropped;
  private final int maxWaitingHours;
  private final PeakMinutes busiest;
  private final Map<String, UserUsageIncrements> waiting = new LinkedHashMap<>();
  private int waitingHours;

  UsageRollup(DroppedUsageCounter dropped, int maxWaitingHours) {
    this.dropped = dropped;
    this.maxWaitingHours = maxWaitingHours;
    this.busiest = new PeakMinutes(maxWaitingHours);
  }

  @Override
  public void add(UsageKey minute, MinuteUsage added) {
    UsageIncrement sums = UsageIncrement.of(added);
    UserUsageIncrements rows =
        waiting.computeIfAbsent(minute.userId(), any -> new UserUsageIncrements());
    UsageKey hour = minute.at(minute.time() / MINUTES_AN_HOUR);
    if (waitingHours >= maxWaitingHours && !rows.hours.containsKey(hour)) {
      dropped.requests(sums.requests, "the database is unavailable or too slow");
      forgetIfEmpty(minute.userId(), rows);
      return;
    }
    rows.busiestMinute = Math.max(rows.busiestMinute, busiest.ofUser(minute, sums.requests));
    sums.peakMinute = busiest.inHour(minute, sums.requests);
    waitingHours += rows.addHour(hour, sums);
    sums.peakMinute = busiest.inDay(minute, sums.requests);
    rows.addDay(hour.at(hour.time() / HOURS_A_DAY), sums);
  }

  private void forgetIfEmpty(String userId, UserUsageIncrements rows) {
    if (rows.hours.isEmpty()) {
      waiting.remove(userId);
    }
  }

  @Override
  public Optional<RowBatch> drain(int mostRows) {
    Map<String, UserUsageIncrements> users = new LinkedHashMap<>();
    int rows = 0;
    Iterator<Map.Entry<String, UserUsageIncrements>> all = waiting.entrySet().iterator();
    while (all.hasNext() && rows < mostRows) {
      Map.Entry<String, UserUsageIncrements> each = all.next();
      users.put(each.getKey(), each.getValue());
      rows += each.getValue().size();
      waitingHours -= each.getValue().hours.size();
      all.remove();
    }
    return new TakenRows<>(
            users,
            !waiting.isEmpty(),
            UsageRollupWriter::write,
            this::keepAgain,
            (userId, lost) -> dropped.requests(lost.requests()))
        .unlessEmpty();
  }

  private void keepAgain(String userId, UserUsageIncrements rows) {
    UserUsageIncrements newer = waiting.remove(userId);
    waitingHours += rows.hours.size();
    if (newer != null) {
      waitingHours -= newer.hours.size();
      waitingHours += rows.addAll(newer);
    }
    waiting.put(userId, rows);
  }

  @Override
  public void forget(Predicate<String> isForgotten) {
    waiting
        .entrySet()
        .removeIf(
            each -> {
              boolean isGone = isForgotten.test(each.getKey());
              waitingHours -= isGone ? each.getValue().hours.size() : 0;
              return isGone;
            });
    busiest.forget(isForgotten);
  }
}
