package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.LargeQueries;
import io.weir.internal.rules.database.Sql;
import io.weir.rules.usage.CallerRefusals;
import io.weir.rules.usage.EndpointTotal;
import io.weir.rules.usage.TierUsage;
import io.weir.rules.usage.UserUsage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Adds up the usage and the refusals of all callers. Safe for concurrent use. */
final class UsageSumReader {
  private static final String FAILURE = "usage can't be read";
  private static final String SHORTER = "shorten the time between from and to";

  /** The most policies that are listed for a caller. */
  private static final int MAX_POLICIES = 5;

  private static final String SUMS = "SUM(requests), SUM(refused), SUM(permits)";

  private final LargeQueries queries;
  private final Supplier<String> defaultTier;
  private final Supplier<Instant> now;

  /**
   * Reads nothing yet.
   *
   * @param defaultTier the tier of callers without a row
   * @param now decides which rows of users are valid
   */
  UsageSumReader(LargeQueries queries, Supplier<String> defaultTier, Supplier<Instant> now) {
    this.queries = queries;
    this.defaultTier = defaultTier;
    this.now = now;
  }

  List<UserUsage> users(Instant from, Instant until, Optional<UserUsage> last, int most) {
    return queries.run(
        FAILURE,
        SHORTER,
        connection -> {
          UsageSpan span = UsageSpan.of(connection, from, until);
          return Sql.of("SELECT user_id, " + SUMS + " FROM ")
              .then(span.sql(Sql.NOTHING))
              .then(" GROUP BY user_id")
              .then(last.map(row -> after(row.requests(), "user_id", row.userId())))
              .then(" ORDER BY SUM(requests) DESC, user_id LIMIT ?", most)
              .all(
                  connection,
                  row ->
                      new UserUsage(
                          row.getString(1), row.getLong(2), row.getLong(3), row.getLong(4)));
        });
  }

  /** Continues behind the last row, in the order of requests and then of a column. */
  private static Sql after(long requests, String column, String last) {
    return Sql.of(
        " HAVING SUM(requests) < ? OR SUM(requests) = ? AND " + column + " > ?",
        requests,
        requests,
        last);
  }

  List<EndpointTotal> endpoints(
      Instant from, Instant until, Optional<EndpointTotal> last, int most) {
    return queries.run(
        FAILURE,
        SHORTER,
        connection -> {
          UsageSpan span = UsageSpan.of(connection, from, until);
          return Sql.of(
                  "SELECT endpoint, SUM(CASE WHEN user_id <> '*' THEN 1 ELSE 0 END), "
                      + SUMS
                      + ", MAX(CASE WHEN user_id <> '*' THEN peak_minute ELSE 0 END) FROM"
                      + " (SELECT user_id, endpoint, SUM(requests) AS requests, SUM(refused) AS"
                      + " refused, SUM(permits) AS permits, MAX(peak_minute) AS peak_minute FROM ")
              .then(span.sql(Sql.NOTHING))
              .then(" GROUP BY user_id, endpoint) c GROUP BY endpoint")
              .then(last.map(row -> after(row.requests(), "endpoint", row.endpoint())))
              .then(" ORDER BY SUM(requests) DESC, endpoint LIMIT ?", most)
              .all(
                  connection,
                  row ->
                      new EndpointTotal(
                          row.getString(1),
                          row.getLong(2),
                          row.getLong(3),
                          row.getLong(4),
                          row.getLong(5),
                          row.getLong(6)));
        });
  }

  List<TierUsage> tiers(Instant from, Instant until) {
    return queries.run(
        FAILURE,
        SHORTER,
        connection -> {
          UsageSpan span = UsageSpan.of(connection, from, until);
          TierColumn tiers = new TierColumn(now.get(), defaultTier.get());
          return Sql.of(
                  "SELECT tier, SUM(CASE WHEN user_id <> '*' THEN 1 ELSE 0 END), "
                      + SUMS
                      + " FROM (SELECT c.user_id, requests, refused, permits, ")
              .then(tiers.tier())
              .then(
                  " AS tier FROM (SELECT user_id, SUM(requests) AS requests, SUM(refused) AS"
                      + " refused, SUM(permits) AS permits FROM ")
              .then(span.sql(Sql.NOTHING))
              .then(" GROUP BY user_id) c")
              .then(tiers.join())
              .then(") t GROUP BY tier ORDER BY SUM(requests) DESC, tier")
              .all(
                  connection,
                  row ->
                      new TierUsage(
                          row.getString(1),
                          row.getLong(2),
                          row.getLong(3),
                          row.getLong(4),
                          row.getLong(5)));
        });
  }

  List<CallerRefusals> mostRefused(Instant from, Instant until, int most) {
    return queries.run(
        FAILURE,
        SHORTER,
        connection ->
            ViolationWriter.isThere(connection, Dialect.of(connection))
                ? mostRefused(connection, from, until, most)
                : List.of());
  }

  private static List<CallerRefusals> mostRefused(
      Connection connection, Instant from, Instant until, int most) throws SQLException {
    // Grouped twice, since PostgreSQL sorts all rows for a COUNT(DISTINCT …).
    List<CallerRefusals> found =
        Sql.of(
                "SELECT user_id, SUM(attempts), COUNT(endpoint), MAX(latest) FROM (SELECT user_id,"
                    + " endpoint, SUM(attempted_count) AS attempts, MAX(timestamp) AS latest"
                    + " FROM weir.rate_limit_violations WHERE timestamp >= ? AND timestamp < ?"
                    + " GROUP BY user_id, endpoint) e"
                    + " GROUP BY user_id ORDER BY SUM(attempts) DESC, user_id LIMIT ?",
                from,
                until,
                most)
            .all(
                connection,
                row ->
                    new CallerRefusals(
                        row.getString(1),
                        row.getLong(2),
                        row.getLong(3),
                        List.of(),
                        Sql.time(row, 4)));
    if (found.isEmpty()) {
      return found;
    }
    Map<String, List<String>> policies = policies(connection, from, until, found);
    return found.stream()
        .map(each -> each.by(policies.getOrDefault(each.caller(), List.of())))
        .toList();
  }

  /** Finds the policies that refused each of some callers most. */
  private static Map<String, List<String>> policies(
      Connection connection, Instant from, Instant until, List<CallerRefusals> callers)
      throws SQLException {
    Map<String, List<String>> policies = new HashMap<>();
    Sql.of(
            "SELECT user_id, policy FROM weir.rate_limit_violations WHERE timestamp >= ?"
                + " AND timestamp < ? AND user_id IN ",
            from,
            until)
        .then(Sql.list(callers.stream().map(CallerRefusals::caller).toList()))
        .then(" GROUP BY user_id, policy ORDER BY SUM(attempted_count) DESC, policy")
        .each(
            connection,
            row -> {
              String policy = row.getString(2);
              List<String> of =
                  policies.computeIfAbsent(row.getString(1), any -> new ArrayList<>());
              if (of.size() < MAX_POLICIES && policy != null) {
                of.add(policy);
              }
            });
    return policies;
  }
}
