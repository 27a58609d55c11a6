package io.weir.internal.rules.whatif;

import io.weir.Ticker;
import io.weir.internal.rules.database.LargeQueries;
import io.weir.internal.rules.usage.TierColumn;
import io.weir.internal.rules.usage.UsageSpan;
import io.weir.internal.rules.usage.UsageSpan.Binder;
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
import java.util.function.BiConsumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * Puts limits against the usage in the database, of which it reads as little as it can: see
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
      this.tiers = new TierColumn(ticker.instant(), defaultTier.get());
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
      Rows rows =
          new Rows(
              "SELECT endpoint, SUM(CASE WHEN user_id = '*' THEN requests ELSE 0 END) FROM "
                  + span.sql("")
                  + " GROUP BY endpoint ORDER BY endpoint",
              (statement, at) -> span.bind(statement, at, Binder.NONE));
      long[] unknown = {0};
      read(
          rows,
          row -> {
            while (row.next()) {
              if (endpoints.add(row.getString(1))) {
                unknown[0] += row.getLong(2);
              }
            }
          });
      return unknown[0];
    }

    private void read(Rows rows, RowReader reader) throws SQLException {
      read(rows, 0, reader);
    }

    private void read(Rows rows, int fetchSize, RowReader reader) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(rows.sql)) {
        statement.setFetchSize(fetchSize);
        var unused = rows.binder.bind(statement, 1);
        try (ResultSet row = statement.executeQuery()) {
          reader.read(row);
        }
      }
    }

    /** Selects the rows of known callers of the tier at the endpoints. */
    private Rows counted() {
      return new Rows(
          span.sql(condition()), (statement, at) -> span.bind(statement, at, this::bindCondition));
    }

    private String condition() {
      return " AND user_id <> '*'" + endpoints.sql() + limit.tier().map(tiers::is).orElse("");
    }

    private int bindCondition(PreparedStatement statement, int at) throws SQLException {
      int next = endpoints.bind(statement, at);
      return limit.tier().isPresent() ? tiers.bindIs(statement, next, limit.tier().get()) : next;
    }

    private Rows callersByDay() {
      return counted()
          .within(
              "(SELECT user_id, at_day, SUM(requests) AS requests, SUM(peak_minute) AS peaks FROM ",
              " GROUP BY user_id, at_day) d");
    }

    private Rows callersByHour() {
      return new Rows(
          "(SELECT user_id, starts_at, SUM(requests) AS requests, SUM(peak_minute) AS peaks"
              + " FROM weir.usage_hourly u WHERE starts_at >= ? AND starts_at < ?"
              + condition()
              + " GROUP BY user_id, starts_at) h",
          (statement, at) -> bindCondition(statement, bindTime(statement, at)));
    }

    private int bindTime(PreparedStatement statement, int at) throws SQLException {
      statement.setObject(at, from.atOffset(ZoneOffset.UTC));
      statement.setObject(at + 1, until.atOffset(ZoneOffset.UTC));
      return at + 2;
    }

    private void readDays() throws SQLException {
      read(
          callersByDay().within("SELECT at_day, SUM(requests), COUNT(*) FROM ", " GROUP BY at_day"),
          row -> {
            while (row.next()) {
              sums.day(day(second(row, 1)), row.getLong(2), row.getLong(3));
            }
          });
    }

    private void readTotals() throws SQLException {
      read(
          counted()
              .within(
                  "SELECT COUNT(*), SUM(requests), SUM(refused), SUM(permits) FROM (SELECT user_id,"
                      + " SUM(requests) AS requests, SUM(refused) AS refused,"
                      + " SUM(permits) AS permits FROM ",
                  " GROUP BY user_id) c"),
          row -> {
            row.next();
            sums.totals(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
          });
    }

    /** Returns the callers that the limit may refuse, by their days or hours. */
    private List<String> candidates(Rows callers, long minRequests, long minPeak)
        throws SQLException {
      Rows rows =
          new Rows(
              "SELECT user_id FROM "
                  + callers.sql
                  + " GROUP BY user_id HAVING MAX(requests) > ? AND MAX(peaks) > ? LIMIT ?",
              (statement, at) -> {
                int next = callers.binder.bind(statement, at);
                statement.setLong(next, minRequests);
                statement.setLong(next + 1, minPeak);
                statement.setInt(next + 2, MAX_CANDIDATES + 1);
                return next + 3;
              });
      List<String> found = new ArrayList<>();
      read(
          rows,
          row -> {
            while (row.next()) {
              found.add(row.getString(1));
            }
          });
      if (found.size() > MAX_CANDIDATES) {
        throw new QueryTooLargeException(
            FAILURE + ": it may refuse more than 200,000 callers; " + INSTEAD, null);
      }
      Collections.sort(found); // neighbours are read together
      return found;
    }

    /** Reads the days of all callers, where too many may be refused to read their hours. */
    private void readByDays(DayLumps lumps) throws SQLException {
      Rows rows =
          callersByDay()
              .within("SELECT user_id, at_day, requests, peaks FROM ", " ORDER BY user_id, at_day");
      read(
          rows,
          ROWS_AT_ONCE,
          row ->
              readCallers(
                  row, Reading::day, (caller, days) -> sums.callerByDays(caller, days, lumps)));
    }

    private void readHours(List<String> callers) throws SQLException {
      Rows rows =
          new Rows(
              "SELECT user_id, starts_at, SUM(requests), SUM(peak_minute) FROM weir.usage_hourly WHERE"
                  + " user_id IN ("
                  + String.join(", ", Collections.nCopies(callers.size(), "?"))
                  + ") AND starts_at >= ? AND starts_at < ?"
                  + endpoints.sql()
                  + " GROUP BY user_id, starts_at ORDER BY user_id, starts_at",
              (statement, at) -> {
                int next = at;
                for (String each : callers) {
                  statement.setString(next++, each);
                }
                return endpoints.bind(statement, bindTime(statement, next));
              });
      read(rows, row -> readCallers(row, TimeUnit.SECONDS::toHours, sums::caller));
    }

    /**
     * Reads rows of user, time, requests and peaks, sorted by user.
     *
     * @param number the number of a day or hour, of one of its seconds
     * @param sum takes a user with its days or hours, which are reused for the next
     */
    private void readCallers(
        ResultSet row, LongUnaryOperator number, BiConsumer<String, CallerHours> sum)
        throws SQLException {
      CallerHours hours = new CallerHours();
      String caller = "";
      for (int read = 0; row.next(); read++) {
        if (read % ROWS_AT_ONCE == 0) {
          checkTime();
        }
        String userId = row.getString(1);
        if (!userId.equals(caller)) {
          sum.accept(caller, hours);
          hours.clear();
          caller = userId;
        }
        hours.add(number.applyAsLong(second(row, 2)), row.getLong(3), row.getLong(4));
      }
      sum.accept(caller, hours);
    }

    private static long second(ResultSet row, int column) throws SQLException {
      return row.getObject(column, OffsetDateTime.class).toEpochSecond();
    }

    private static long day(long second) {
      return Math.floorDiv(second, DAY_SECONDS);
    }
  }

  /**
   * Selects rows.
   *
   * @param sql a query, or a table of a FROM clause
   * @param binder binds its parameters
   */
  private record Rows(String sql, Binder binder) {
    /** Returns SQL around this one that has no further parameters. */
    Rows within(String before, String after) {
      return new Rows(before + sql + after, binder);
    }
  }

  /** Reads the rows that a query returns. */
  @FunctionalInterface
  private interface RowReader {
    void read(ResultSet row) throws SQLException;
  }
}
