package io.weir.internal.rules.anomalies;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.usage.FinishedRequest;
import io.weir.internal.rules.usage.MinuteReader;
import io.weir.internal.rules.usage.MinuteSums;
import io.weir.internal.rules.usage.UsageKey;
import io.weir.internal.rules.usage.UsagePart;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

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

  private static final String POSTGRES =
      "INSERT INTO usage_minutes AS t (user_id, endpoint, starts_at, requests)"
          + " SELECT * FROM unnest(CAST(? AS varchar[]), CAST(? AS varchar[]),"
          + " CAST(? AS timestamptz[]), CAST(? AS bigint[]))"
          + " ON CONFLICT (starts_at, user_id, endpoint)"
          + " DO UPDATE SET requests = t.requests + excluded.requests";
  private static final String H2 =
      "MERGE INTO usage_minutes t USING (VALUES (CAST(? AS VARCHAR), CAST(? AS VARCHAR),"
          + " CAST(? AS TIMESTAMP(6) WITH TIME ZONE), CAST(? AS BIGINT)))"
          + " n(user_id, endpoint, starts_at, requests)"
          + " ON (t.starts_at = n.starts_at AND t.user_id = n.user_id AND t.endpoint = n.endpoint)"
          + " WHEN MATCHED THEN UPDATE SET requests = t.requests + n.requests"
          + " WHEN NOT MATCHED THEN INSERT (user_id, endpoint, starts_at, requests)"
          + " VALUES (n.user_id, n.endpoint, n.starts_at, n.requests)";

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
  public void forget(Collection<String> userIds) {
    Set<String> users = new HashSet<>(userIds);
    waiting.keySet().removeIf(each -> users.contains(each.userId()));
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
      switch (dialect) {
        case POSTGRESQL -> {
          try (PreparedStatement statement = connection.prepareStatement(POSTGRES)) {
            statement.setArray(1, array(connection, "varchar", each -> each.getKey().userId()));
            statement.setArray(2, array(connection, "varchar", each -> each.getKey().endpoint()));
            statement.setArray(3, array(connection, "timestamptz", each -> time(each.getKey())));
            statement.setArray(4, array(connection, "bigint", Map.Entry::getValue));
            statement.executeUpdate();
          }
        }
        case H2 -> {
          try (PreparedStatement statement = connection.prepareStatement(H2)) {
            for (Map.Entry<UsageKey, Long> each : rows.entrySet()) {
              statement.setString(1, each.getKey().userId());
              statement.setString(2, each.getKey().endpoint());
              statement.setObject(3, time(each.getKey()));
              statement.setLong(4, each.getValue());
              statement.addBatch();
            }
            statement.executeBatch();
          }
        }
      }
    }

    private Array array(
        Connection connection, String type, Function<Map.Entry<UsageKey, Long>, Object> value)
        throws SQLException {
      return connection.createArrayOf(type, rows.entrySet().stream().map(value).toArray());
    }

    private OffsetDateTime time(UsageKey key) {
      Instant begin = Minutes.begin(key.time());
      return begin.atOffset(ZoneOffset.UTC);
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
