package io.weir.internal.rules.quotas;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.database.SummingTable;
import io.weir.rules.quota.QuotaPeriod;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads and writes {@code quota_periods} within a transaction of the caller. */
final class PeriodTable {
  private static final String COLUMNS =
      "user_id, starts_at, ends_at, monthly_limit, rollover, granted, used, closed_at";

  private static final SummingTable<Addition> ROWS =
      new SummingTable<Addition>("quota_periods")
          .key("user_id", Addition::userId)
          .keyTime("starts_at", each -> each.period.beginsAt())
          .firstTime("ends_at", each -> each.period.endsAt())
          .missing("monthly_limit", Addition::limit)
          .missing("rollover", Addition::rollover)
          .sum("used", Addition::used);

  private PeriodTable() {}

  /** Ignores a row that can't be read: it is reported where accounts are read. */
  private static void ignore(String userId) {}

  /**
   * Holds what is added to a row, which is inserted if there is none.
   *
   * @param limit written only if the row has none yet
   */
  record Addition(
      String userId, BillingPeriod period, OptionalLong limit, OptionalLong rollover, long used) {}

  /** Adds to rows, in the given order; none twice. */
  static void add(Connection connection, Dialect dialect, Collection<Addition> all)
      throws SQLException {
    ROWS.write(connection, dialect, all);
  }

  /**
   * Returns the latest two rows of each user that can be read, the newest first.
   *
   * @param unreadable receives the user of each other row, perhaps more than once
   */
  static Map<String, List<LedgerRow>> latest(
      Connection connection, Collection<String> userIds, Consumer<String> unreadable)
      throws SQLException {
    Sql sql =
        Sql.of(
                "SELECT "
                    + COLUMNS
                    + " FROM (SELECT q.*, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY"
                    + " starts_at DESC) AS place FROM weir.quota_periods q WHERE user_id IN ")
            .then(Sql.list(userIds))
            .then(") latest WHERE place <= 4 ORDER BY user_id, starts_at DESC");
    Map<String, List<LedgerRow>> byUser = new HashMap<>();
    for (QuotaPeriodRow each : rows(connection, sql, unreadable)) {
      List<LedgerRow> rows = byUser.computeIfAbsent(each.userId, any -> new ArrayList<>(2));
      if (rows.size() < 2) {
        rows.add(each.row());
      }
    }
    return byUser;
  }

  /** Returns the rows of one user, the newest first. */
  static List<QuotaPeriod> of(Connection connection, String userId, int most) throws SQLException {
    return rows(
            connection,
            where("user_id = ? ORDER BY starts_at DESC LIMIT " + most, userId),
            PeriodTable::ignore)
        .stream()
        .map(QuotaPeriodRow::toPeriod)
        .toList();
  }

  /**
   * Returns the open rows of a user that ended before a moment, the oldest first.
   *
   * @param lock whether to lock them; after a wait for another node, only those that it left open
   */
  static List<LedgerRow> open(Connection connection, String userId, long before, boolean lock)
      throws SQLException {
    Sql sql =
        where(
            "user_id = ? AND ends_at <= ? AND closed_at IS NULL ORDER BY starts_at"
                + (lock ? " FOR UPDATE" : ""),
            userId,
            BillingPeriod.instant(before));
    return rows(connection, sql, PeriodTable::ignore).stream()
        .map(QuotaPeriodRow::row)
        .filter(each -> !each.isClosed())
        .toList();
  }

  /** Returns the latest row of a user that ends at or before a moment; null if there is none. */
  static @Nullable LedgerRow last(Connection connection, String userId, long end)
      throws SQLException {
    Sql sql =
        where(
            "user_id = ? AND ends_at <= ? ORDER BY starts_at DESC LIMIT 1",
            userId,
            BillingPeriod.instant(end));
    List<QuotaPeriodRow> rows = rows(connection, sql, PeriodTable::ignore);
    return rows.isEmpty() ? null : rows.get(0).row();
  }

  private static Sql where(String condition, Object... values) {
    return Sql.of("SELECT " + COLUMNS + " FROM weir.quota_periods WHERE " + condition, values);
  }

  static void close(Connection connection, String userId, ClosedPeriod closed, long limit, long now)
      throws SQLException {
    Sql.of(
            "UPDATE weir.quota_periods SET monthly_limit = ?, rollover = ?, granted = ?, used = ?,"
                + " closed_at = ? WHERE user_id = ? AND starts_at = ?",
            limit,
            closed.rollover(),
            closed.granted(),
            closed.used(),
            BillingPeriod.instant(now),
            userId,
            closed.period().beginsAt())
        .update(connection);
  }

  private static List<QuotaPeriodRow> rows(
      Connection connection, Sql sql, Consumer<String> unreadable) throws SQLException {
    return sql.query(
        connection,
        result -> {
          List<QuotaPeriodRow> rows = new ArrayList<>();
          while (result.next()) {
            try {
              rows.add(QuotaPeriodRow.read(result));
            } catch (ArithmeticException | DateTimeException | IllegalArgumentException bad) {
              unreadable.accept(String.valueOf(result.getString(1)));
            }
          }
          return rows;
        });
  }

  private record QuotaPeriodRow(
      String userId,
      BillingPeriod period,
      OptionalLong limit,
      OptionalLong rollover,
      OptionalLong granted,
      long used,
      Optional<Instant> closedAt) {
    static QuotaPeriodRow read(ResultSet row) throws SQLException {
      int at = 1;
      String userId = row.getString(at++);
      long begin = micros(row, at++);
      long end = micros(row, at++);
      OptionalLong limit = number(row, at++);
      OptionalLong rollover = number(row, at++);
      OptionalLong granted = number(row, at++);
      long used = row.getLong(at++);
      Optional<Instant> closed = Sql.timeIfAny(row, at);
      return new QuotaPeriodRow(
          userId, BillingPeriod.checked(begin, end), limit, rollover, granted, used, closed);
    }

    private static long micros(ResultSet row, int column) throws SQLException {
      return BillingPeriod.micros(Sql.time(row, column));
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
          closedAt);
    }
  }
}
