package io.weir.internal.rules.anomalies;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.SummingTable;
import io.weir.internal.rules.usage.FinishedRequest;
import io.weir.internal.rules.usage.MinuteReader;
import io.weir.internal.rules.usage.MinuteSums;
import io.weir.internal.rules.usage.UsageKey;
import io.weir.internal.rules.usage.UsagePart;
import io.weir.internal.writeback.channel.Batch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Writes the requests of known callers by endpoint and minute to the rows of {@code usage_minutes},
 * where the counts of all nodes come together.
 *
 * <p>Bounded; and what is older than a few minutes is judged by nobody any more, so that nothing
 * piles up while the database is away.
 *
 * <p>Of the writer's thread.
 */
final class MinuteRows implements MinuteReader, UsagePart {
  /** How many callers at endpoints may wait to be written. */
  private static final int MOST = 200_000;

  private static final int OLDEST_MINUTES = 5;

  private static final SummingTable<Map.Entry<UsageKey, Long>> ROWS =
      new SummingTable<Map.Entry<UsageKey, Long>>("usage_minutes")
          .key("user_id", each -> each.getKey().userId())
          .key("endpoint", each -> each.getKey().endpoint())
          .keyTime("starts_at", each -> time(each.getKey()))
          .sum("requests", Map.Entry::getValue);

  private final InstantSource clock;
  private final NavigableMap<UsageKey, Long> waiting = new TreeMap<>();

  MinuteRows(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public void keep(UsageKey minute, MinuteSums sums) {
    if (!minute.userId().equals(FinishedRequest.OTHERS)) {
      add(minute, sums.requests());
    }
  }

  @Override
  public void gather() {
    long oldest = Minutes.of(clock.instant()) - OLDEST_MINUTES;
    waiting.keySet().removeIf(each -> each.time() < oldest);
  }

  private void add(UsageKey key, long requests) {
    if (waiting.size() < MOST || waiting.containsKey(key)) {
      waiting.merge(key, requests, Long::sum);
    }
  }

  @Override
  public Optional<Batch> drain(int most) {
    NavigableMap<UsageKey, Long> some = new TreeMap<>();
    Iterator<Map.Entry<UsageKey, Long>> all = waiting.entrySet().iterator();
    while (all.hasNext() && some.size() < most) {
      Map.Entry<UsageKey, Long> each = all.next();
      some.put(each.getKey(), each.getValue());
      all.remove();
    }
    return some.isEmpty() ? Optional.empty() : Optional.of(new Drained(some, !waiting.isEmpty()));
  }

  @Override
  public void forget(Predicate<String> isForgotten) {
    waiting.keySet().removeIf(each -> isForgotten.test(each.userId()));
  }

  private static OffsetDateTime time(UsageKey key) {
    return Minutes.begin(key.time()).atOffset(ZoneOffset.UTC);
  }

  private final class Drained implements Batch {
    private final NavigableMap<UsageKey, Long> rows;
    private final boolean isMore;

    Drained(NavigableMap<UsageKey, Long> rows, boolean isMore) {
      this.rows = rows;
      this.isMore = isMore;
    }

    @Override
    public void write(Connection connection, Dialect dialect) throws SQLException {
      ROWS.write(connection, dialect, rows.entrySet());
    }

    @Override
    public void written() {}

    @Override
    public void failed(boolean isLost) {
      if (!isLost) {
        rows.forEach(MinuteRows.this::add);
      }
    }

    @Override
    public boolean isMore() {
      return isMore;
    }
  }
}
