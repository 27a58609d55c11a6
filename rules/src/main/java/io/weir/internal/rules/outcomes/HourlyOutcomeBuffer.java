package io.weir.internal.rules.outcomes;

import io.weir.internal.rules.database.DatabaseClock;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.SummingTable;
import io.weir.internal.rules.usage.TakenRows;
import io.weir.internal.rules.usage.UsageBuffer;
import io.weir.rules.outcome.HourlyOutcomes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Sums up the outcomes of this node by policy and hour, to be added to {@code
 * weir_outcomes_hourly}. The hour is the database's in which they are gathered, at most the
 * interval of usage after they were decided.
 *
 * <p>Bounded: if the database is unavailable for too long, further policies of an hour are summed
 * up together.
 *
 * <p>Confine to the writer's thread, except for {@link #isRejected}.
 */
public final class HourlyOutcomeBuffer implements UsageBuffer {
  public static final String TABLE = "weir_outcomes_hourly";

  /** The most rows that wait to be written, but for one of each hour. */
  static final int MAX_WAITING = 100_000;

  private static final SummingTable<Map.Entry<HourKey, OutcomeSums>> ROWS =
      new SummingTable<Map.Entry<HourKey, OutcomeSums>>(TABLE)
          .key("policy", row -> row.getKey().policy)
          .keyTime("starts_at", row -> row.getKey().startsAt())
          .sum("admitted", row -> row.getValue().admitted())
          .sum("refused", row -> row.getValue().refused())
          .sum("soft", row -> row.getValue().soft())
          .sum("shadow_refused", row -> row.getValue().shadowRefused())
          .sum("degraded", row -> row.getValue().degraded());

  private final OutcomeDifferences differences;
  private final DatabaseClock clock;
  private final int maxWaiting;
  private final NavigableMap<HourKey, OutcomeSums> waiting = new TreeMap<>();
  private volatile boolean isRejected;

  private record HourKey(long hour, String policy) implements Comparable<HourKey> {
    private static final Comparator<HourKey> ORDER =
        Comparator.comparingLong(HourKey::hour).thenComparing(HourKey::policy);

    Instant startsAt() {
      return Instant.ofEpochSecond(TimeUnit.HOURS.toSeconds(hour));
    }

    @Override
    public int compareTo(HourKey other) {
      return ORDER.compare(this, other);
    }
  }

  /** Begins with the counts from the start on. */
  public HourlyOutcomeBuffer(OutcomeCounters counters, DatabaseClock clock) {
    this(counters, clock, MAX_WAITING);
  }

  HourlyOutcomeBuffer(OutcomeCounters counters, DatabaseClock clock, int maxWaiting) {
    this.differences = new OutcomeDifferences(counters);
    this.clock = clock;
    this.maxWaiting = maxWaiting;
  }

  /**
   * Returns whether the database has rejected the last rows, which are lost: a table or a right is
   * missing, say.
   *
   * @return false while it is only unavailable; may be called by any thread
   */
  public boolean isRejected() {
    return isRejected;
  }

  @Override
  public void gather() {
    long hour = TimeUnit.SECONDS.toHours(clock.now().getEpochSecond());
    differences.next().forEach((policy, sums) -> add(new HourKey(hour, policy), sums));
  }

  private void add(HourKey key, OutcomeSums sums) {
    boolean isFull = waiting.size() >= maxWaiting && !waiting.containsKey(key);
    HourKey row = isFull ? new HourKey(key.hour, HourlyOutcomes.OTHERS) : key;
    waiting.merge(row, sums, OutcomeSums::plus);
  }

  @Override
  public Optional<RowBatch> drain(int most) {
    Map<HourKey, OutcomeSums> rows = TakenRows.take(waiting, most);
    return rows.isEmpty() ? Optional.empty() : Optional.of(new Drained(rows, !waiting.isEmpty()));
  }

  /** Does nothing: no user is counted here. */
  @Override
  public void forget(Predicate<String> isForgotten) {}

  /** Holds some rows, in the order in which all nodes change them. */
  private final class Drained implements RowBatch {
    private final Map<HourKey, OutcomeSums> rows;
    private final boolean isMore;

    Drained(Map<HourKey, OutcomeSums> rows, boolean isMore) {
      this.rows = rows;
      this.isMore = isMore;
    }

    @Override
    public void write(Connection connection, Dialect dialect) throws SQLException {
      if (dialect.tables(connection, Set.of(TABLE)).isEmpty()) {
        throw new SQLException("the database has no table " + TABLE, "42P01");
      }
      ROWS.write(connection, dialect, rows.entrySet());
    }

    @Override
    public void committed() {
      isRejected = false;
    }

    @Override
    public void failed(boolean isLost) {
      if (isLost) {
        isRejected = true;
      } else {
        rows.forEach(HourlyOutcomeBuffer.this::add);
      }
    }

    @Override
    public boolean isMore() {
      return isMore;
    }
  }
}
