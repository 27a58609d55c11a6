package io.weir.internal.rules.usage;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.sql.DataSource;

/** Usage as nodes would have written it: hours, and the days that they add up to. */
public final class RecordedUsage {
  private final List<Row> rows = new ArrayList<>();

  /** An hour of a caller at an endpoint. */
  public record Row(
      String userId,
      String endpoint,
      Instant startsAt,
      long requests,
      long refused,
      long permits,
      long peakMinute) {
    public boolean isWithin(Instant from, Instant until) {
      return !startsAt.isBefore(from) && startsAt.isBefore(until);
    }
  }

  public List<Row> rows() {
    return rows;
  }

  public void add(String userId, String endpoint, Instant hour, long requests, long peakMinute) {
    long refused = requests / 3;
    rows.add(
        new Row(userId, endpoint, hour, requests, refused, 2 * (requests - refused), peakMinute));
  }

  /** Makes hours of random callers. */
  public static RecordedUsage random(
      Random random, int users, List<String> endpoints, Instant first, int hours) {
    RecordedUsage usage = new RecordedUsage();
    for (int user = 0; user < users; user++) {
      String userId = user == 0 ? "*" : "user" + user;
      int busy = 1 + random.nextInt(40);
      for (int hour = 0; hour < hours; hour++) {
        for (String endpoint : endpoints) {
          if (random.nextInt(4) == 0) {
            long requests = 1L + random.nextInt(busy);
            long peak = Math.max(1 + requests / 60, 1 + random.nextInt((int) requests));
            usage.add(userId, endpoint, first.plus(hour, ChronoUnit.HOURS), requests, peak);
          }
        }
      }
    }
    return usage;
  }

  public void insert(DataSource source) throws SQLException {
    Map<List<Object>, Row> days = new LinkedHashMap<>();
    for (Row each : rows) {
      Instant day = each.startsAt.truncatedTo(ChronoUnit.DAYS);
      days.merge(
          List.of(each.userId, each.endpoint, day),
          new Row(
              each.userId,
              each.endpoint,
              day,
              each.requests,
              each.refused,
              each.permits,
              each.peakMinute),
          (one, other) ->
              new Row(
                  one.userId,
                  one.endpoint,
                  one.startsAt,
                  one.requests + other.requests,
                  one.refused + other.refused,
                  one.permits + other.permits,
                  Math.max(one.peakMinute, other.peakMinute)));
    }
    insert(source, "usage_hourly", rows);
    insert(source, "usage_daily", List.copyOf(days.values()));
  }

  private static void insert(DataSource source, String table, List<Row> rows) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "INSERT INTO weir." + table + " VALUES (?, ?, ?, ?, ?, ?, ?)")) {
      connection.setAutoCommit(false);
      for (Row each : rows) {
        statement.setString(1, each.userId);
        statement.setString(2, each.endpoint);
        statement.setObject(3, each.startsAt.atOffset(ZoneOffset.UTC));
        statement.setLong(4, each.requests);
        statement.setLong(5, each.refused);
        statement.setLong(6, each.permits);
        statement.setLong(7, each.peakMinute);
        statement.addBatch();
      }
      statement.executeBatch();
      connection.commit();
    }
  }
}
