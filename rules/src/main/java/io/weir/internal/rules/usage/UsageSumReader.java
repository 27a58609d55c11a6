package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.LargeQueries;
import io.weir.rules.usage.CallerRefusals;
import io.weir.rules.usage.EndpointTotal;
import io.weir.rules.usage.TierUsage;
import io.weir.rules.usage.UserUsage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
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
   * @param queries runs the statements
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
          String sql =
              "SELECT user_id, "
                  + SUMS
                  + " FROM "
                  + span.sql("")
                  + " GROUP BY user_id"
                  + after(last, "user_id")
                  + " ORDER BY SUM(requests) DESC, user_id LIMIT ?";
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = span.bind(statement, 1, UsageSpan.Binder.NONE);
            if (last.isPresent()) {
              next = bindLast(statement, next, last.get().requests(), last.get().userId());
            }
            statement.setInt(next, most);
            List<UserUsage> found = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                found.add(
                    new UserUsage(
                        row.getString(1), row.getLong(2), row.getLong(3), row.getLong(4)));
              }
            }
            return found;
          }
        });
  }

  /** Continues behind the last row, in the order of requests and then of a name. */
  private static String after(Optional<?> last, String name) {
    return last.isEmpty()
        ? ""
        : " HAVING SUM(requests) < ? OR SUM(requests) = ? AND " + name + " > ?";
  }

  private static int bindLast(PreparedStatement statement, int at, long requests, String name)
      throws SQLException {
    statement.setLong(at, requests);
    statement.setLong(at + 1, requests);
    statement.setString(at + 2, name);
    return at + 3;
  }

  List<EndpointTotal> endpoints(
      Instant from, Instant until, Optional<EndpointTotal> last, int most) {
    return queries.run(
        FAILURE,
        SHORTER,
        connection -> {
          UsageSpan span = UsageSpan.of(connection, from, until);
          String byCaller =
              "(SELECT user_id, endpoint, SUM(requests) AS requests, SUM(refused) AS refused,"
                  + " SUM(permits) AS permits, MAX(peak_minute) AS peak_minute FROM "
                  + span.sql("")
                  + " GROUP BY user_id, endpoint) c";
          String sql =
              "SELECT endpoint, SUM(CASE WHEN user_id <> '*' THEN 1 ELSE 0 END), "
                  + SUMS
                  + ", MAX(CASE WHEN user_id <> '*' THEN peak_minute ELSE 0 END) FROM "
                  + byCaller
                  + " GROUP BY endpoint"
                  + after(last, "endpoint")
                  + " ORDER BY SUM(requests) DESC, endpoint LIMIT ?";
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = span.bind(statement, 1, UsageSpan.Binder.NONE);
            if (last.isPresent()) {
              next = bindLast(statement, next, last.get().requests(), last.get().endpoint());
            }
            statement.setInt(next, most);
            return endpoints(statement);
          }
        });
  }

  private static List<EndpointTotal> endpoints(PreparedStatement statement) throws SQLException {
    List<EndpointTotal> found = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        found.add(
            new EndpointTotal(
                row.getString(1),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6)));
      }
    }
    return found;
  }

  List<TierUsage> tiers(Instant from, Instant until) {
    return queries.run(
        FAILURE,
        SHORTER,
        connection -> {
          UsageSpan span = UsageSpan.of(connection, from, until);
          TierColumn tiers = new TierColumn(now.get(), defaultTier.get());
          String byCaller =
              "(SELECT user_id, SUM(requests) AS requests, SUM(refused) AS refused, SUM(permits)"
                  + " AS permits FROM "
                  + span.sql("")
                  + " GROUP BY user_id) c";
          String sql =
              "SELECT tier, SUM(CASE WHEN user_id <> '*' THEN 1 ELSE 0 END), "
                  + SUMS
                  + " FROM (SELECT c.user_id, requests, refused, permits, "
                  + tiers.tier()
                  + " AS tier FROM "
                  + byCaller
                  + tiers.join()
                  + ") t GROUP BY tier ORDER BY SUM(requests) DESC, tier";
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = tiers.bindTier(statement, 1);
            next = span.bind(statement, next, UsageSpan.Binder.NONE);
            tiers.bindJoin(statement, next);
            List<TierUsage> found = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                found.add(
                    new TierUsage(
                        row.getString(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getLong(5)));
              }
            }
            return found;
          }
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
    String sql =
        "SELECT user_id, SUM(attempts), COUNT(endpoint), MAX(latest) FROM (SELECT user_id,"
            + " endpoint, SUM(attempted_count) AS attempts, MAX(timestamp) AS latest"
            + " FROM weir.rate_limit_violations WHERE timestamp >= ? AND timestamp < ?"
            + " GROUP BY user_id, endpoint) e"
            + " GROUP BY user_id ORDER BY SUM(attempts) DESC, user_id LIMIT ?";
    List<CallerRefusals> found = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, from.atOffset(ZoneOffset.UTC));
      statement.setObject(2, until.atOffset(ZoneOffset.UTC));
      statement.setInt(3, most);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(
              new CallerRefusals(
                  row.getString(1),
                  row.getLong(2),
                  row.getLong(3),
                  List.of(),
                  row.getObject(4, OffsetDateTime.class).toInstant()));
        }
      }
    }
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
    String sql =
        "SELECT user_id, policy FROM weir.rate_limit_violations WHERE timestamp >= ? AND timestamp < ?"
            + " AND user_id IN ("
            + String.join(", ", Collections.nCopies(callers.size(), "?"))
            + ") GROUP BY user_id, policy ORDER BY SUM(attempted_count) DESC, policy";
    Map<String, List<String>> policies = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, from.atOffset(ZoneOffset.UTC));
      statement.setObject(2, until.atOffset(ZoneOffset.UTC));
      int next = 3;
      for (CallerRefusals each : callers) {
        statement.setString(next++, each.caller());
      }
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          String policy = row.getString(2);
          List<String> of = policies.computeIfAbsent(row.getString(1), any -> new ArrayList<>());
          if (of.size() < MAX_POLICIES && policy != null) {
            of.add(policy);
          }
        }
      }
    }
    return policies;
  }
}
