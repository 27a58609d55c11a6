package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.SummingTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Adds to the rows of hours, days and totals, by one statement for each table. */
final class UsageRollupWriter {
  private static final Set<String> TABLES =
      new TreeSet<>(Set.of("usage_hourly", "usage_daily", "usage_total"));

  private static final SummingTable<Row> HOURS = byEndpoint("usage_hourly");
  private static final SummingTable<Row> DAYS = byEndpoint("usage_daily");

  /** Keeps the highest peak: restarted nodes would otherwise add theirs each time. */
  private static final SummingTable<Row> TOTALS =
      sums(new SummingTable<Row>("usage_total")
              .key("user_id", Row::userId)
              .firstTime("starts_at", Row::startsAt))
          .greatest("peak_minute", row -> row.sums.peakMinute);

  private UsageRollupWriter() {}

  private record Row(String userId, String endpoint, Instant startsAt, UsageIncrement sums) {}

  private static SummingTable<Row> byEndpoint(String table) {
    return sums(new SummingTable<Row>(table)
            .key("user_id", Row::userId)
            .keyTime("starts_at", Row::startsAt)
            .key("endpoint", Row::endpoint))
        .sum("peak_minute", row -> row.sums.peakMinute);
  }

  private static SummingTable<Row> sums(SummingTable<Row> rows) {
    return rows.sum("requests", row -> row.sums.requests)
        .sum("refused", row -> row.sums.refused)
        .sum("permits", row -> row.sums.permits);
  }

  static void write(Connection connection, Dialect dialect, Map<String, UserUsageIncrements> users)
      throws SQLException {
    if (dialect.tables(connection, TABLES).size() < TABLES.size()) {
      throw new SQLException(
          "the database lacks one of the tables " + String.join(", ", TABLES), "42P01");
    }
    HOURS.write(connection, dialect, rows(users, each -> each.hours, TimeUnit.HOURS));
    DAYS.write(connection, dialect, rows(users, each -> each.days, TimeUnit.DAYS));
    List<Row> totals = new ArrayList<>();
    new TreeMap<>(users)
        .forEach(
            (userId, rows) ->
                totals.add(
                    new Row(userId, "", time(rows.firstHour(), TimeUnit.HOURS), rows.total())));
    TOTALS.write(connection, dialect, totals);
  }

  private static List<Row> rows(
      Map<String, UserUsageIncrements> users,
      Function<UserUsageIncrements, Map<UsageKey, UsageIncrement>> some,
      TimeUnit unit) {
    Map<UsageKey, UsageIncrement> sorted = new TreeMap<>();
    users.values().forEach(each -> sorted.putAll(some.apply(each)));
    List<Row> rows = new ArrayList<>(sorted.size());
    sorted.forEach(
        (key, sums) ->
            rows.add(new Row(key.userId(), key.endpoint(), time(key.time(), unit), sums)));
    return rows;
  }

  private static Instant time(long number, TimeUnit unit) {
    return Instant.ofEpochSecond(unit.toSeconds(number));
  }
}
