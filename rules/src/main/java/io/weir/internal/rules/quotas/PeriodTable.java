package io.weir.internal.rules.quotas;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.SummingTable;
import io.weir.rules.quota.QuotaPeriod;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads and writes {@code quota_periods} within a transaction of the caller. */
final class PeriodTable {
  private static final String COLUMNS =
      "user_id, starts_at, ends_at, monthly_limit, rollover, granted, used, closed_at";

  private static final SummingTable<Addition> ROWS =
      new SummingTable<Addition>("quota_periods")
          .key("user_id", Addition::userId)
          .keyTime("starts_at", each -> time(each.period.begin()))
          .firstTime("ends_at", each -> time(each.period.end()))
          .missing("monthly_limit", Addition::limit)
          .missing("rollover", Addition::rollover)
          .sum("used", Addition::used);

  private PeriodTable() {}

  /**
   * Holds what is added to a row, which is inserted if there is none.
   *
   * @param limit written only if the row has none yet
   * @param rollover likewise
   */
  record Addition(
      String userId, BillingPeriod period, OptionalLong limit, OptionalLong rollover, long used) {}

  /** Adds to rows, in the given order; none twice. */
  static void add(Connection connection, Dialect dialect, Collection<Addition> all)
      throws SQLException {
    ROWS.write(connection, dialect, all);
  }

  /** Returns the latest two rows of each user, the newest first. */
  static Map<String, List<LedgerRow>> latest(Connection connection, Collection<String> userIds)
      throws SQLException {
    String sql =
        "SELECT "
            + COLUMNS
            + " FROM (SELECT q.*, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY starts_at DESC)"
            + " AS place FROM weir.quota_periods q WHERE user_id IN ("
            + String.join(", ", Collections.nCopies(userIds.size(), "?"))
            + ")) latest WHERE place <= 2 ORDER BY user_id, starts_at DESC";
    Map<String, List<LedgerRow>> byUser = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int at = 1;
      for (String each : userIds) {
        statement.setString(at++, each);
      }
      for (QuotaPeriodRow each : rows(statement)) {
        byUser.computeIfAbsent(each.userId, any -> new ArrayList<>(2)).add(each.row());
      }
    }
    return byUser;
  }

  /** Returns the rows of one user, the newest first. */
  static List<QuotaPeriod> of(Connection connection, String userId, int most) throws SQLException {
    String sql =
        "SELECT "
            + COLUMNS
            + " FROM weir.quota_periods WHERE user_id = ?"
            + " ORDER BY starts_at DESC LIMIT "
            + most;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, userId);
      return rows(statement).stream().map(QuotaPeriodRow::toPeriod).toList();
    }
  }

  /**
   * Returns the open rows of a user that ended before a moment, the oldest first.
   *
   * @param lock whether to lock them; after a wait for another node, only those that it left open
   */
  static List<LedgerRow> open(Connection connection, String userId, long before, boolean lock)
      throws SQLException {
    String sql =
        "SELECT "
            + COLUMNS
            + " FROM weir.quota_periods"
            + " WHERE user_id = ? AND ends_at <= ? AND closed_at IS NULL ORDER BY starts_at"
            + (lock ? " FOR UPDATE" : "");
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, userId);
      statement.setObject(2, time(before));
      return rows(statement).stream()
          .map(QuotaPeriodRow::row)
          .filter(each -> !each.isClosed())
          .toList();
    }
  }

  /** Returns the latest row of a user that ends at or before a moment; null if there is none. */
  static @Nullable LedgerRow last(Connection connection, String userId, long end)
      throws SQLException {
    String sql =
        "SELECT "
            + COLUMNS
            + " FROM weir.quota_periods WHERE user_id = ? AND ends_at <= ?"
            + " ORDER BY starts_at DESC LIMIT 1";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, userId);
      statement.setObject(2, time(end));
      List<QuotaPeriodRow> rows = rows(statement);
      return rows.isEmpty() ? null : rows.get(0).row();
    }
  }

  /** Closes a row. */
  static void close(Connection connection, String userId, ClosedPeriod closed, long limit, long now)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "UPDATE weir.quota_periods SET monthly_limit = ?, rollover = ?, granted = ?, used = ?,"
                + " closed_at = ? WHERE user_id = ? AND starts_at = ?")) {
      int at = 1;
      statement.setLong(at++, limit);
      statement.setLong(at++, closed.rollover());
      statement.setLong(at++, closed.granted());
      statement.setLong(at++, closed.used());
      statement.setObject(at++, time(now));
      statement.setString(at++, userId);
      statement.setObject(at, time(closed.period().begin()));
      statement.executeUpdate();
    }
  }

  static OffsetDateTime time(long micros) {
    return BillingPeriod.instant(micros).atOffset(ZoneOffset.UTC);
  }

  private static List<QuotaPeriodRow> rows(PreparedStatement statement) throws SQLException {
    List<QuotaPeriodRow> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        rows.add(QuotaPeriodRow.read(result));
      }
    }
    return rows;
  }

  /** Holds all columns of a row. */
  private record QuotaPeriodRow(
      String userId,
      BillingPeriod period,
      OptionalLong limit,
      OptionalLong rollover,
      OptionalLong granted,
      long used,
      Optional<OffsetDateTime> closedAt) {
    static QuotaPeriodRow read(ResultSet row) throws SQLException {
      int at = 1;
      String userId = row.getString(at++);
      long begin = micros(row, at++);
      long end = micros(row, at++);
      OptionalLong limit = number(row, at++);
      OptionalLong rollover = number(row, at++);
      OptionalLong granted = number(row, at++);
      long used = row.getLong(at++);
      OffsetDateTime closed = row.getObject(at, OffsetDateTime.class);
      return new QuotaPeriodRow(
          userId,
          new BillingPeriod(begin, end),
          limit,
          rollover,
          granted,
          used,
          Optional.ofNullable(closed));
    }

    private static long micros(ResultSet row, int column) throws SQLException {
      return BillingPeriod.micros(row.getObject(column, OffsetDateTime.class).toInstant());
    }

    private static OptionalLong number(ResultSet row, int column) throws SQLException {
      long number = row.getLong(column);
      return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
    }

    LedgerRow row() {
      return new LedgerRow(period, rollover, used, closedAt.isPresent());
    }

    QuotaPeriod toPeriod() {
      return new QuotaPeriod(
          userId,
          period.beginsAt(),
          period.endsAt(),
          limit.orElse(0),
          rollover.orElse(0),
          granted.orElse(0),
          used,
          closedAt.map(OffsetDateTime::toInstant));
    }
  }
}
