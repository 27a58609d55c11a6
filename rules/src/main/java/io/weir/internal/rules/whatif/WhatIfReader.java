package io.weir.internal.rules.whatif;

import io.weir.Ticker;
import io.weir.internal.rules.database.LargeQueries;
import io.weir.internal.rules.usage.TierColumn;
import io.weir.internal.rules.usage.UsageSpan;
import io.weir.internal.rules.whatif.LimitArithmetic.DayLumps;
import io.weir.internal.value.DurationText;
import io.weir.rules.problem.QueryTooLargeException;
import io.weir.rules.usage.WhatIf;
import io.weir.rules.usage.WhatIfLimit;
import io.weir.rules.usage.WhatIfResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Puts limits against the usage in the database. What is read, and why so little of it, is in
 * docs/design/what-if.md.
 *
 * <p>Safe for concurrent use.
 */
public final class WhatIfReader implements WhatIf {
  private static final String FAILURE = "the limit can't be put against recorded usage";
  private static final String INSTEAD =
      "shorten the time, raise the limit, or name a tier or a narrower pattern";

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int CALLERS_AT_ONCE = 200;
  private static final int ROWS_AT_ONCE = 10_000;

  /** The hours of these are read without looking for a shorter way. */
  private static final int FEW_CANDIDATES = 2_000;

  private static final long DAY_SECONDS = 86_400;

  /** More callers than that can't be read within the time-out. */
  private static final int MAX_CANDIDATES = 200_000;

  private final LargeQueries queries;
  private final Supplier<String> defaultTier;
  private final Ticker ticker;
  private final int fewCandidates;

  /**
   * Reads nothing yet.
   *
   * @param queries runs the statements
   * @param defaultTier the tier of users without a row
   * @param ticker measures the time-out, and decides which rows of users are valid
   */
  public WhatIfReader(LargeQueries queries, Supplier<String> defaultTier, Ticker ticker) {
    this(queries, defaultTier, ticker, FEW_CANDIDATES);
  }

  WhatIfReader(
      LargeQueries queries, Supplier<String> defaultTier, Ticker ticker, int fewCandidates) {
    this.fewCandidates = fewCandidates;
    this.queries = queries;
    this.defaultTier = defaultTier;
    this.ticker = ticker;
  }

  @Override
  public WhatIfResult of(WhatIfLimit limit) {
    MatchedEndpoints endpoints = new MatchedEndpoints(limit.endpointPattern());
    return queries.run(
        FAILURE,
        INSTEAD,
        connection -> {
          Instant begin = UsageSpan.up(limit.from(), ChronoUnit.HOURS);
          Instant end = UsageSpan.up(limit.until(), ChronoUnit.HOURS);
          Optional<Instant> since =
              UsageSpan.first(connection, "usage_hourly").filter(hour -> hour.isAfter(begin));
          Instant from = since.filter(hour -> hour.isBefore(end)).orElse(begin);
          return new Reading(connection, limit, endpoints, from, end).read(since);
        });
  }

  /** Reads for one limit, in one transaction. */
  private final class Reading {
    private final Connection connection;
    private final WhatIfLimit limit;
    private final MatchedEndpoints endpoints;
    private final Instant from;
    private final Instant until;
    private final UsageSpan span;
    private final TierColumn tiers;
    private final LimitArithmetic arithmetic;
    private final long startedAt = ticker.nanoTime();
    private final WhatIfSums sums;

    Reading(
        Connection connection,
        WhatIfLimit limit,
        MatchedEndpoints endpoints,
        Instant from,
        Instant until)
        throws SQLException {
      this.connection = connection;
      this.limit = limit;
      this.endpoints = endpoints;
      this.from = from;
      this.until = until;
      this.span = UsageSpan.of(connection, from, until);
      this.tiers = TierColumn.find(connection, ticker.instant(), defaultTier.get());
      this.arithmetic = LimitArithmetic.of(limit, from, until);
      this.sums = new WhatIfSums(arithmetic, from, until);
    }

    WhatIfResult read(Optional<Instant> since) throws SQLException {
      long unknownCallers = readEndpoints();
      if (!endpoints.isNone()) {
        readDays();
        readTotals();
        List<String> candidates =
            candidates(callersByDay(), arithmetic.minRequests(), arithmetic.minPeak());
        boolean areMany = candidates.size() > fewCandidates;
        if (areMany && arithmetic.byDays().isPresent()) {
          readByDays(arithmetic.byDays().get());
          candidates = List.of();
        } else if (areMany && arithmetic.minHour().isPresent()) {
          candidates =
              candidates(callersByHour(), arithmetic.minHour().getAsLong(), arithmetic.minPeak());
        }
        for (int at = 0; at < candidates.size(); at += CALLERS_AT_ONCE) {
          checkTime();
          int end = Math.min(at + CALLERS_AT_ONCE, candidates.size());
          readHours(candidates.subList(at, end));
        }
      }
      boolean isExact =
          arithmetic.isExact() && limit.methods().isEmpty() && endpoints.partly().isEmpty();
      return sums.result(isExact, unknownCallers, endpoints.partly(), since);
    }

    private void checkTime() {
      if (ticker.nanoTime() - startedAt > TIMEOUT.toNanos()) {
        throw new QueryTooLargeException(
            FAILURE + " within " + DurationText.inWords(TIMEOUT) + "; " + INSTEAD, null);
      }
    }

    /** Returns the requests of unknown callers at the endpoints that match. */
    private long readEndpoints() throws SQLException {
      String sql =
          "SELECT endpoint, SUM(CASE WHEN user_id = '*' THEN requests ELSE 0 END) FROM "
              + span.sql("")
              + " GROUP BY endpoint ORDER BY endpoint";
      long unknown = 0;
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        var unused = span.bind(statement, 1, UsageSpan.Binder.NONE);
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            if (endpoints.add(row.getString(1))) {
              unknown += row.getLong(2);
            }
          }
        }
      }
      return unknown;
    }

    /** The rows of known callers of the tier at the endpoints. */
    private String counted() {
      return span.sql(condition());
    }

    private String condition() {
      return " AND user_id <> '*'" + endpoints.sql() + limit.tier().map(tiers::is).orElse("");
    }

    private int bindCounted(PreparedStatement statement) throws SQLException {
      return span.bind(statement, 1, this::bindCondition);
    }

    private int bindCondition(PreparedStatement statement, int at) throws SQLException {
      int next = endpoints.bind(statement, at);
      return limit.tier().isPresent() ? tiers.bindIs(statement, next, limit.tier().get()) : next;
    }

    private String callersByDay() {
      return "(SELECT user_id, at_day, SUM(requests) AS requests, SUM(peak_minute) AS peaks FROM "
          + counted()
          + " GROUP BY user_id, at_day) d";
    }

    private String callersByHour() {
      return "(SELECT user_id, starts_at, SUM(requests) AS requests, SUM(peak_minute) AS peaks"
          + " FROM usage_hourly u WHERE starts_at >= ? AND starts_at < ?"
          + condition()
          + " GROUP BY user_id, starts_at) h";
    }

    private int bindHours(PreparedStatement statement) throws SQLException {
      statement.setObject(1, from.atOffset(ZoneOffset.UTC));
      statement.setObject(2, until.atOffset(ZoneOffset.UTC));
      return bindCondition(statement, 3);
    }

    private void readDays() throws SQLException {
      String sql =
          "SELECT at_day, SUM(requests), COUNT(*) FROM " + callersByDay() + " GROUP BY at_day";
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        var unused = bindCounted(statement);
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            long second = row.getObject(1, OffsetDateTime.class).toEpochSecond();
            sums.day(Math.floorDiv(second, DAY_SECONDS), row.getLong(2), row.getLong(3));
          }
        }
      }
    }

    private void readTotals() throws SQLException {
      String sql =
          "SELECT COUNT(*), SUM(requests), SUM(refused), SUM(permits) FROM (SELECT user_id,"
              + " SUM(requests) AS requests, SUM(refused) AS refused, SUM(permits) AS permits"
              + " FROM "
              + counted()
              + " GROUP BY user_id) c";
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        var unused = bindCounted(statement);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          sums.totals(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
        }
      }
    }

    /** Returns the callers that the limit may refuse, by their days or hours. */
    private List<String> candidates(String callers, long minRequests, long minPeak)
        throws SQLException {
      String sql =
          "SELECT DISTINCT user_id FROM " + callers + " WHERE requests > ? AND peaks > ? LIMIT ?";
      List<String> found = new ArrayList<>();
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        int next = callers.equals(callersByDay()) ? bindCounted(statement) : bindHours(statement);
        statement.setLong(next, minRequests);
        statement.setLong(next + 1, minPeak);
        statement.setInt(next + 2, MAX_CANDIDATES + 1);
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            found.add(row.getString(1));
          }
        }
      }
      if (found.size() > MAX_CANDIDATES) {
        throw new QueryTooLargeException(
            FAILURE + ": it may refuse more than 200,000 callers; " + INSTEAD, null);
      }
      Collections.sort(found); // neighbours are read together
      return found;
    }

    /** Reads the days of all callers, where too many may be refused to read their hours. */
    private void readByDays(DayLumps lumps) throws SQLException {
      String sql =
          "SELECT user_id, at_day, requests, peaks FROM "
              + callersByDay()
              + " ORDER BY user_id, at_day";
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setFetchSize(ROWS_AT_ONCE);
        var unused = bindCounted(statement);
        try (ResultSet row = statement.executeQuery()) {
          CallerHours days = new CallerHours();
          String caller = "";
          for (int read = 0; row.next(); read++) {
            if (read % ROWS_AT_ONCE == 0) {
              checkTime();
            }
            String userId = row.getString(1);
            if (!userId.equals(caller)) {
              sums.callerByDays(caller, days, lumps);
              days.clear();
              caller = userId;
            }
            long second = row.getObject(2, OffsetDateTime.class).toEpochSecond();
            days.add(Math.floorDiv(second, DAY_SECONDS), row.getLong(3), row.getLong(4));
          }
          sums.callerByDays(caller, days, lumps);
        }
      }
    }

    private void readHours(List<String> callers) throws SQLException {
      String sql =
          "SELECT user_id, starts_at, SUM(requests), SUM(peak_minute) FROM usage_hourly WHERE"
              + " user_id IN ("
              + String.join(", ", Collections.nCopies(callers.size(), "?"))
              + ") AND starts_at >= ? AND starts_at < ?"
              + endpoints.sql()
              + " GROUP BY user_id, starts_at ORDER BY user_id, starts_at";
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        int next = 1;
        for (String each : callers) {
          statement.setString(next++, each);
        }
        statement.setObject(next++, from.atOffset(ZoneOffset.UTC));
        statement.setObject(next++, until.atOffset(ZoneOffset.UTC));
        var unused = endpoints.bind(statement, next);
        try (ResultSet row = statement.executeQuery()) {
          CallerHours hours = new CallerHours();
          String caller = "";
          while (row.next()) {
            String userId = row.getString(1);
            if (!userId.equals(caller)) {
              sums.caller(caller, hours);
              hours.clear();
              caller = userId;
            }
            long second = row.getObject(2, OffsetDateTime.class).toEpochSecond();
            hours.add(TimeUnit.SECONDS.toHours(second), row.getLong(3), row.getLong(4));
          }
          sums.caller(caller, hours);
        }
      }
    }
  }
}
