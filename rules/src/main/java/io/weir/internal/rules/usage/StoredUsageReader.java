package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.Sql;
import io.weir.rules.problem.QueryTooLargeException;
import io.weir.rules.usage.CallerRefusals;
import io.weir.rules.usage.DroppedUsage;
import io.weir.rules.usage.EndpointTotal;
import io.weir.rules.usage.EndpointUsage;
import io.weir.rules.usage.RefusedCaller;
import io.weir.rules.usage.TierUsage;
import io.weir.rules.usage.Usage;
import io.weir.rules.usage.UsageTotal;
import io.weir.rules.usage.UserUsage;
import io.weir.rules.usage.Violation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads usage and violations that nodes have written. */
final class StoredUsageReader implements Usage {
  private static final String FAILURE = "usage can't be read";

  private final RuleDatabase database;
  private final UsageSumReader sums;
  private final Function<Integer, List<RefusedCaller>> top;
  private final DroppedUsageCounter dropped;

  StoredUsageReader(
      RuleDatabase database,
      UsageSumReader sums,
      Function<Integer, List<RefusedCaller>> top,
      DroppedUsageCounter dropped) {
    this.database = database;
    this.sums = sums;
    this.top = top;
    this.dropped = dropped;
  }

  @Override
  public UsageTotal total(String userId) {
    return database.inTransaction(
        FAILURE,
        connection ->
            Sql.of(
                    "SELECT starts_at, requests, refused, permits, peak_minute"
                        + " FROM weir.usage_total WHERE user_id = ?",
                    userId)
                .first(
                    connection,
                    row ->
                        new UsageTotal(
                            userId,
                            Optional.of(Sql.time(row, 1)),
                            row.getLong(2),
                            row.getLong(3),
                            row.getLong(4),
                            row.getLong(5)))
                .orElseGet(() -> new UsageTotal(userId, Optional.empty(), 0, 0, 0, 0)));
  }

  @Override
  public List<EndpointUsage> hours(String userId, Instant from, Instant until) {
    return read("usage_hourly", userId, from, checkedHours(from, until));
  }

  @Override
  public List<EndpointUsage> byEndpoint(String userId, Instant from, Instant until) {
    return rows(
        "SELECT endpoint, MIN(starts_at), SUM(requests), SUM(refused), SUM(permits),"
            + " MAX(peak_minute) FROM weir.usage_hourly"
            + " WHERE user_id = ? AND starts_at >= ? AND starts_at < ?"
            + " GROUP BY endpoint ORDER BY endpoint",
        userId,
        from,
        checkedHours(from, until));
  }

  private static Instant checkedHours(Instant from, Instant until) {
    if (Duration.between(from, until).compareTo(Duration.ofHours(MAX_HOURS)) > 0) {
      throw new IllegalArgumentException("until must be at most 2,208 hours after from");
    }
    return until;
  }

  @Override
  public List<EndpointUsage> days(String userId, LocalDate from, LocalDate to) {
    if (from.plusDays(MAX_DAYS).compareTo(to) <= 0) {
      throw new IllegalArgumentException("to must be at most 365 days after from");
    }
    return read("usage_daily", userId, start(from), start(to.plusDays(1)));
  }

  private static Instant start(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  private List<EndpointUsage> read(String table, String userId, Instant from, Instant until) {
    return rows(
        "SELECT endpoint, starts_at, requests, refused, permits, peak_minute FROM weir."
            + table
            + " WHERE user_id = ? AND starts_at >= ? AND starts_at < ?"
            + " ORDER BY starts_at, endpoint",
        userId,
        from,
        until);
  }

  private List<EndpointUsage> rows(String sql, String userId, Instant from, Instant until) {
    return database.inTransaction(
        FAILURE,
        connection -> {
          List<EndpointUsage> found =
              Sql.of(sql + " LIMIT " + (MAX_SUMS + 1), userId, from, until)
                  .all(
                      connection,
                      row ->
                          new EndpointUsage(
                              row.getString(1),
                              Sql.time(row, 2),
                              row.getLong(3),
                              row.getLong(4),
                              row.getLong(5),
                              row.getLong(6)));
          if (found.size() > MAX_SUMS) {
            throw new QueryTooLargeException(
                FAILURE + ": it has more than 100,000 rows; shorten the time between from and to",
                null);
          }
          return found;
        });
  }

  @Override
  public List<Violation> violations(Instant from, Instant until, int most) {
    return violations(Optional.empty(), from, until, Optional.empty(), most);
  }

  @Override
  public List<Violation> violationsOf(String userId, Instant from, Instant until, int most) {
    return userId.isEmpty()
        ? List.of()
        : violations(Optional.of(userId), from, until, Optional.empty(), most);
  }

  @Override
  public List<Violation> violations(
      Optional<String> userId,
      Instant from,
      Instant until,
      Optional<Violation.Position> last,
      int most) {
    check(most);
    return database.inTransaction(
        FAILURE,
        connection ->
            ViolationWriter.isThere(connection, database.dialect())
                ? violations(connection, userId, from, until, last, most)
                : List.of());
  }

  private static List<Violation> violations(
      Connection connection,
      Optional<String> userId,
      Instant from,
      Instant until,
      Optional<Violation.Position> last,
      int most)
      throws SQLException {
    // The index on time leads to the last row by the first half of its condition; by one with OR
    // alone PostgreSQL would read all rows before it.
    return Sql.of(
            "SELECT id, user_id, endpoint, timestamp, attempted_count, COALESCE(policy, '')"
                + " FROM weir.rate_limit_violations WHERE timestamp >= ? AND timestamp < ?",
            from,
            until)
        .then(userId.map(id -> Sql.of(" AND user_id = ?", id)))
        .then(
            last.map(
                at ->
                    Sql.of(
                        " AND timestamp <= ? AND (timestamp < ? OR id < ?)",
                        at.at(),
                        at.at(),
                        at.id())))
        .then(" ORDER BY timestamp DESC, id DESC LIMIT " + most)
        .all(
            connection,
            row ->
                new Violation(
                    row.getLong(1),
                    row.getString(2),
                    row.getString(3),
                    row.getString(6),
                    Sql.time(row, 4),
                    row.getLong(5)));
  }

  @Override
  public List<UserUsage> users(Instant from, Instant until, Optional<UserUsage> last, int most) {
    checkSums(most);
    return sums.users(from, checkedHours(from, until), last, most);
  }

  @Override
  public List<EndpointTotal> endpoints(
      Instant from, Instant until, Optional<EndpointTotal> last, int most) {
    checkSums(most);
    return sums.endpoints(from, checkedHours(from, until), last, most);
  }

  @Override
  public List<TierUsage> tiers(Instant from, Instant until) {
    return sums.tiers(from, checkedHours(from, until));
  }

  @Override
  public List<CallerRefusals> mostRefused(Instant from, Instant until, int most) {
    check(most);
    return sums.mostRefused(from, until, most);
  }

  private static void checkSums(int most) {
    if (most < 1 || most > MAX_SUMS) {
      throw new IllegalArgumentException("most must be 1 to 100,000, not " + most);
    }
  }

  private static void check(int most) {
    if (most < 1 || most > MAX_ROWS) {
      throw new IllegalArgumentException("most must be 1 to 1,000, not " + most);
    }
  }

  @Override
  public List<RefusedCaller> topRefused(int most) {
    check(most);
    return top.apply(most);
  }

  @Override
  public DroppedUsage dropped() {
    return dropped.read();
  }
}
