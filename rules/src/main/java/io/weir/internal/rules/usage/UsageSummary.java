package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.writeback.channel.Batch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Sums up minutes as the rows of hours, days and totals.
 *
 * <p>Bounded: what waits for a database that is away for too long is counted as dropped.
 *
 * <p>Of the writer's thread.
 */
final class UsageSummary implements MinuteReader, UsagePart {
  /** How many hours of users at endpoints may wait to be written. */
  static final int MOST = 200_000;

  private static final long MINUTES_AN_HOUR = 60;
  private static final long HOURS_A_DAY = 24;

  private final DroppedCounts dropped;
  private final int most;
  private final BusiestMinutes busiest;
  private final Map<String, UserRows> waiting = new LinkedHashMap<>();
  private int waitingHours;

  UsageSummary(DroppedCounts dropped, int most) {
    this.dropped = dropped;
    this.most = most;
    this.busiest = new BusiestMinutes(most);
  }

  @Override
  public void keep(UsageKey minute, MinuteSums added) {
    UsageSums sums = UsageSums.of(added);
    UserRows rows = waiting.computeIfAbsent(minute.userId(), any -> new UserRows());
    UsageKey hour = minute.at(minute.time() / MINUTES_AN_HOUR);
    if (waitingHours >= most && !rows.hours.containsKey(hour)) {
      dropped.requests(sums.requests, "the database is away, or too slow");
      forgetIfEmpty(minute.userId(), rows);
      return;
    }
    rows.busiestMinute = Math.max(rows.busiestMinute, busiest.ofUser(minute, sums.requests));
    sums.peakMinute = busiest.inHour(minute, sums.requests);
    waitingHours += rows.addHour(hour, sums);
    sums.peakMinute = busiest.inDay(minute, sums.requests);
    rows.addDay(hour.at(hour.time() / HOURS_A_DAY), sums);
  }

  private void forgetIfEmpty(String userId, UserRows rows) {
    if (rows.hours.isEmpty()) {
      waiting.remove(userId);
    }
  }

  @Override
  public Optional<Batch> drain(int mostRows) {
    Map<String, UserRows> users = new LinkedHashMap<>();
    int rows = 0;
    Iterator<Map.Entry<String, UserRows>> all = waiting.entrySet().iterator();
    while (all.hasNext() && rows < mostRows) {
      Map.Entry<String, UserRows> each = all.next();
      users.put(each.getKey(), each.getValue());
      rows += each.getValue().size();
      waitingHours -= each.getValue().hours.size();
      all.remove();
    }
    return users.isEmpty() ? Optional.empty() : Optional.of(new Drained(users, !waiting.isEmpty()));
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

  /** Some users, whole. */
  private final class Drained implements Batch {
    private final Map<String, UserRows> users;
    private final boolean isMore;

    Drained(Map<String, UserRows> users, boolean isMore) {
      this.users = users;
      this.isMore = isMore;
    }

    @Override
    public void write(Connection connection, Dialect dialect) throws SQLException {
      UsageRows.write(connection, dialect, users);
    }

    @Override
    public void written() {}

    @Override
    public void failed(boolean isLost) {
      users.forEach(isLost ? this::drop : this::keepAgain);
    }

    private void drop(String userId, UserRows rows) {
      dropped.requests(rows.requests());
    }

    private void keepAgain(String userId, UserRows rows) {
      UserRows newer = waiting.remove(userId);
      waitingHours += rows.hours.size();
      if (newer != null) {
        waitingHours -= newer.hours.size();
        waitingHours += rows.addAll(newer);
      }
      waiting.put(userId, rows);
    }

    @Override
    public boolean isMore() {
      return isMore;
    }
  }
}
