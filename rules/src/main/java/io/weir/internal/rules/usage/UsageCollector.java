package io.weir.internal.rules.usage;

import io.weir.Decision;
import io.weir.internal.rules.database.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what requests take by user, endpoint and minute, for the rows of hours, days and totals.
 *
 * <p>Bounded: what finds no place, or waits for a database that is away for too long, is counted as
 * dropped.
 */
final class UsageCollector implements UsageListener, UsagePart {
  /** How many users at endpoints may wait to be written. */
  static final int MOST = 200_000;

  private static final long MINUTE_MICROS = TimeUnit.MINUTES.toMicros(1);
  private static final long MINUTES_AN_HOUR = 60;
  private static final long HOURS_A_DAY = 24;

  private final DroppedCounts dropped;
  private final int most;
  private final Generations<UsageKey, Counters> collected;

  /** Of the writer's thread, like all below. */
  private final BusiestMinutes busiest;

  private final Map<String, UserRows> waiting = new LinkedHashMap<>();
  private int waitingHours;

  private static final class Counters {
    private final LongAdder requests = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder permits = new LongAdder();

    void add(Decision decision, long taken) {
      requests.increment();
      if (!decision.admitted()) {
        refused.increment();
      } else if (taken > 0) {
        permits.add(taken);
      }
    }

    UsageSums sums() {
      UsageSums sums = new UsageSums();
      sums.requests = requests.sum();
      sums.refused = refused.sum();
      sums.permits = permits.sum();
      return sums;
    }
  }

  UsageCollector(DroppedCounts dropped, int most) {
    this.dropped = dropped;
    this.most = most;
    this.collected = new Generations<>(most, Counters::new);
    this.busiest = new BusiestMinutes(most);
  }

  @Override
  public void finished(FinishedRequest request) {
    UsageKey key =
        new UsageKey(request.userId(), request.endpoint(), request.micros() / MINUTE_MICROS);
    Decision decision = request.decision();
    long taken = taken(decision);
    if (!collected.add(key, counters -> counters.add(decision, taken))) {
      dropped.requests(1, "more than " + most + " callers at endpoints between two writes");
    }
  }

  /**
   * Policies that hold together take the same permits out of several buckets; some give them back.
   */
  private static long taken(Decision decision) {
    List<Decision> parts = decision.parts();
    long taken = 0;
    for (int i = 0; i < parts.size(); i++) {
      Decision part = parts.get(i);
      if (!part.refunded()) {
        taken = Math.max(taken, part.permits());
      }
    }
    return taken;
  }

  @Override
  public void gather() {
    collected.take().entrySet().stream()
        .sorted(Comparator.comparingLong(each -> each.getKey().time()))
        .forEach(each -> keep(each.getKey(), each.getValue().sums()));
  }

  private void keep(UsageKey minute, UsageSums sums) {
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
  public void forget(Collection<String> userIds) {
    for (String userId : userIds) {
      UserRows rows = waiting.remove(userId);
      if (rows != null) {
        waitingHours -= rows.hours.size();
      }
      busiest.forget(userId);
    }
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
