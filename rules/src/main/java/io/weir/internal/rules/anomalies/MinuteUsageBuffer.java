package io.weir.internal.rules.anomalies;

import io.weir.Ticker;
import io.weir.internal.rules.database.SummingTable;
import io.weir.internal.rules.usage.FinishedRequest;
import io.weir.internal.rules.usage.MinuteUsage;
import io.weir.internal.rules.usage.MinuteUsageListener;
import io.weir.internal.rules.usage.TakenRows;
import io.weir.internal.rules.usage.UsageBuffer;
import io.weir.internal.rules.usage.UsageKey;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Adds the requests of known callers by endpoint and minute to the rows of {@code usage_minutes},
 * which sum up those of all nodes.
 *
 * <p>Bounded. Minutes that are too old to be scored are dropped while the database is unavailable.
 *
 * <p>Confine to the writer's thread.
 */
final class MinuteUsageBuffer implements MinuteUsageListener, UsageBuffer {
  /** The number of rows that may wait to be written. */
  private static final int MAX_WAITING = 200_000;

  private static final int MAX_AGE_MINUTES = 5;

  private static final SummingTable<Map.Entry<UsageKey, Long>> ROWS =
      new SummingTable<Map.Entry<UsageKey, Long>>("usage_minutes")
          .key("user_id", each -> each.getKey().userId())
          .key("endpoint", each -> each.getKey().endpoint())
          .keyTime("starts_at", each -> EpochMinutes.begin(each.getKey().time()))
          .sum("requests", Map.Entry::getValue);

  private final Ticker ticker;
  private final NavigableMap<UsageKey, Long> waiting = new TreeMap<>();

  MinuteUsageBuffer(Ticker ticker) {
    this.ticker = ticker;
  }

  @Override
  public void add(UsageKey minute, MinuteUsage sums) {
    if (!minute.userId().equals(FinishedRequest.OTHERS)) {
      add(minute, sums.requests());
    }
  }

  @Override
  public void gather() {
    long oldest = EpochMinutes.of(ticker.instant()) - MAX_AGE_MINUTES;
    waiting.keySet().removeIf(each -> each.time() < oldest);
  }

  private void add(UsageKey key, long requests) {
    if (waiting.size() < MAX_WAITING || waiting.containsKey(key)) {
      waiting.merge(key, requests, Long::sum);
    }
  }

  @Override
  public Optional<RowBatch> drain(int most) {
    return new TakenRows<>(
            TakenRows.take(waiting, most),
            !waiting.isEmpty(),
            (connection, dialect, rows) -> ROWS.write(connection, dialect, rows.entrySet()),
            this::add,
            (key, lost) -> {})
        .unlessEmpty();
  }

  @Override
  public void forget(Predicate<String> isForgotten) {
    waiting.keySet().removeIf(each -> isForgotten.test(each.userId()));
  }
}
