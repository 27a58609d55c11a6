package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Adds to the rows of hours, days and totals: one statement a table, whatever nodes do besides. */
final class UsageRows {
  private static final Set<String> TABLES =
      new TreeSet<>(Set.of("usage_hourly", "usage_daily", "usage_total"));

  private UsageRows() {}

  /** One row's key and what is added to it. */
  private record Row(String userId, String endpoint, OffsetDateTime startsAt, UsageSums sums) {}

  static void write(Connection connection, Dialect dialect, Map<String, UserRows> users)
      throws SQLException {
    if (dialect.tables(connection, TABLES).size() < TABLES.size()) {
      throw new SQLException("there are no tables " + String.join(", ", TABLES), "42P01");
    }
    upsert(connection, dialect, "usage_hourly", rows(users, each -> each.hours, TimeUnit.HOURS));
    upsert(connection, dialect, "usage_daily", rows(users, each -> each.days, TimeUnit.DAYS));
    List<Row> totals = new ArrayList<>();
    new TreeMap<>(users)
        .forEach(
            (userId, rows) ->
                totals.add(
                    new Row(userId, "", time(rows.firstHour(), TimeUnit.HOURS), rows.total())));
    upsert(connection, dialect, "usage_total", totals);
  }

  private static List<Row> rows(
      Map<String, UserRows> users,
      Function<UserRows, Map<UsageKey, UsageSums>> some,
      TimeUnit unit) {
    Map<UsageKey, UsageSums> sorted = new TreeMap<>();
    users.values().forEach(each -> sorted.putAll(some.apply(each)));
    List<Row> rows = new ArrayList<>(sorted.size());
    sorted.forEach(
        (key, sums) ->
            rows.add(new Row(key.userId(), key.endpoint(), time(key.time(), unit), sums)));
    return rows;
  }

  private static OffsetDateTime time(long number, TimeUnit unit) {
    return Instant.ofEpochSecond(unit.toSeconds(number)).atOffset(ZoneOffset.UTC);
  }

  private static void upsert(Connection connection, Dialect dialect, String table, List<Row> rows)
      throws SQLException {
    boolean isTotal = table.equals("usage_total");
    if (dialect == Dialect.POSTGRESQL) {
      try (PreparedStatement statement = connection.prepareStatement(postgres(table, isTotal))) {
        int at = 1;
        statement.setArray(at++, array(connection, "varchar", rows, Row::userId));
        if (!isTotal) {
          statement.setArray(at++, array(connection, "varchar", rows, Row::endpoint));
        }
        statement.setArray(at++, array(connection, "timestamptz", rows, Row::startsAt));
        statement.setArray(at++, array(connection, "bigint", rows, row -> row.sums.requests));
        statement.setArray(at++, array(connection, "bigint", rows, row -> row.sums.refused));
        statement.setArray(at++, array(connection, "bigint", rows, row -> row.sums.permits));
        statement.setArray(at, array(connection, "bigint", rows, row -> row.sums.peakMinute));
        statement.executeUpdate();
      }
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(h2(table, isTotal))) {
      for (Row row : rows) {
        int at = 1;
        statement.setString(at++, row.userId);
        if (!isTotal) {
          statement.setString(at++, row.endpoint);
        }
        statement.setObject(at++, row.startsAt);
        statement.setLong(at++, row.sums.requests);
        statement.setLong(at++, row.sums.refused);
        statement.setLong(at++, row.sums.permits);
        statement.setLong(at, row.sums.peakMinute);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static java.sql.Array array(
      Connection connection, String type, List<Row> rows, Function<Row, Object> value)
      throws SQLException {
    return connection.createArrayOf(type, rows.stream().map(value).toArray());
  }

  private static String columns(boolean isTotal) {
    return (isTotal ? "user_id" : "user_id, endpoint")
        + ", starts_at, requests, refused, permits, peak_minute";
  }

  private static String postgres(String table, boolean isTotal) {
    return "INSERT INTO "
        + table
        + " AS t ("
        + columns(isTotal)
        + ") SELECT * FROM unnest(CAST(? AS varchar[]), "
        + (isTotal ? "" : "CAST(? AS varchar[]), ")
        + "CAST(? AS timestamptz[]), CAST(? AS bigint[]), CAST(? AS bigint[]),"
        + " CAST(? AS bigint[]), CAST(? AS bigint[])) ON CONFLICT ("
        + (isTotal ? "user_id" : "user_id, starts_at, endpoint")
        + ") DO UPDATE SET "
        + sums("excluded", isTotal);
  }

  private static String h2(String table, boolean isTotal) {
    return "MERGE INTO "
        + table
        + " t USING (VALUES (CAST(? AS VARCHAR), "
        + (isTotal ? "" : "CAST(? AS VARCHAR), ")
        + "CAST(? AS TIMESTAMP(6) WITH TIME ZONE), CAST(? AS BIGINT), CAST(? AS BIGINT),"
        + " CAST(? AS BIGINT), CAST(? AS BIGINT))) n("
        + columns(isTotal)
        + ") ON (t.user_id = n.user_id"
        + (isTotal ? "" : " AND t.starts_at = n.starts_at AND t.endpoint = n.endpoint")
        + ") WHEN MATCHED THEN UPDATE SET "
        + sums("n", isTotal)
        + " WHEN NOT MATCHED THEN INSERT ("
        + columns(isTotal)
        + ") VALUES (n.user_id, "
        + (isTotal ? "" : "n.endpoint, ")
        + "n.starts_at, n.requests, n.refused, n.permits, n.peak_minute)";
  }

  /** A total keeps the busiest minute of all: nodes that begin anew would add theirs each time. */
  private static String sums(String added, boolean isTotal) {
    return "requests = t.requests + "
        + added
        + ".requests, refused = t.refused + "
        + added
        + ".refused, permits = t.permits + "
        + added
        + ".permits, peak_minute = "
        + (isTotal
            ? "GREATEST(t.peak_minute, " + added + ".peak_minute)"
            : "t.peak_minute + " + added + ".peak_minute");
  }
}
