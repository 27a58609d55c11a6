package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Selects the usage of all callers in a span of hours: whole days are read from {@code
 * usage_daily}, which has a row where {@code usage_hourly} has up to 24, and only the hours before
 * and after them from there.
 *
 * <p>Days are used from the second recorded one on: of the first one rows may have been deleted
 * already.
 *
 * <p>Immutable.
 */
public final class UsageSpan {
  private static final String HOURS = "usage_hourly";
  private static final String DAYS = "usage_daily";
  private static final String COLUMNS =
      "user_id, endpoint, requests, refused, permits, peak_minute";

  private final Dialect dialect;
  private final List<Part> parts;

  private record Part(String table, Instant from, Instant until) {
    /** Returns whether all of its rows are of one day in UTC. */
    boolean isWithinDay() {
      return table.equals(HOURS)
          && !from.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS).isBefore(until);
    }
  }

  private UsageSpan(Dialect dialect, List<Part> parts) {
    this.dialect = dialect;
    this.parts = List.copyOf(parts);
  }

  /**
   * Looks at what is recorded.
   *
   * @param from hours that begin then or later
   * @param until hours that begin before
   */
  public static UsageSpan of(Connection connection, Instant from, Instant until)
      throws SQLException {
    Instant first = up(from, ChronoUnit.HOURS);
    Instant end = up(until, ChronoUnit.HOURS);
    Instant days = up(first, ChronoUnit.DAYS);
    Optional<Instant> recorded = first(connection, DAYS);
    Instant safe = recorded.map(day -> day.plus(1, ChronoUnit.DAYS)).orElse(Instant.MAX);
    if (safe.isAfter(days)) {
      days = safe;
    }
    Instant daysEnd = end.truncatedTo(ChronoUnit.DAYS);
    List<Part> parts = new ArrayList<>();
    if (days.isBefore(daysEnd)) {
      parts.add(new Part(HOURS, first, days));
      parts.add(new Part(DAYS, days, daysEnd));
      parts.add(new Part(HOURS, daysEnd, end));
      parts.removeIf(each -> !each.from.isBefore(each.until));
    } else {
      parts.add(new Part(HOURS, first, end));
    }
    return new UsageSpan(Dialect.of(connection), parts);
  }

  /**
   * Returns when the first hour or day of a table begins.
   *
   * @param table {@code usage_hourly} or {@code usage_daily}
   * @return empty if it has no rows
   */
  public static Optional<Instant> first(Connection connection, String table) throws SQLException {
    return Sql.of("SELECT MIN(starts_at) FROM weir." + table)
        .one(connection, row -> Sql.timeIfAny(row, 1));
  }

  /**
   * Rounds up to whole hours or days.
   *
   * @param unit hours or days, in UTC
   * @return the moment itself if it is the beginning of one
   */
  public static Instant up(Instant moment, ChronoUnit unit) {
    Instant down = moment.truncatedTo(unit);
    return down.equals(moment) ? moment : down.plus(1, unit);
  }

  /**
   * Returns the rows as a table {@code s} of the FROM clause, with the columns of {@code
   * usage_hourly}; instead of {@code starts_at} with {@code at_day}, the beginning of the day in
   * UTC.
   *
   * @param condition a further condition on the rows of {@code u}, which begins with AND; may be
   *     empty
   */
  public Sql sql(Sql condition) {
    Sql all = Sql.of("(");
    String union = "";
    for (Part each : parts) {
      all =
          all.then(union + "SELECT " + COLUMNS + ", ")
              .then(day(each))
              .then(
                  " AS at_day FROM weir."
                      + each.table
                      + " u WHERE starts_at >= ? AND starts_at < ?",
                  each.from,
                  each.until)
              .then(condition);
      union = " UNION ALL ";
    }
    return all.then(") s");
  }

  /** To cut each hour to its day takes longer than all the rest, so that is avoided. */
  private Sql day(Part part) {
    if (part.table.equals(DAYS)) {
      return Sql.of("starts_at");
    }
    if (part.isWithinDay()) {
      Instant day = part.from.truncatedTo(ChronoUnit.DAYS);
      return Sql.of("CAST(? AS TIMESTAMP(6) WITH TIME ZONE)", day);
    }
    return Sql.of(
        dialect == Dialect.H2
            ? "DATE_TRUNC('DAY', starts_at)"
            : "date_trunc('day', starts_at, 'UTC')");
  }
}
