package io.weir.internal.rules.whatif;

import io.weir.Ticker;
import io.weir.internal.rules.database.LargeQueries;
import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.usage.TierColumn;
import io.weir.internal.rules.usage.UsageSpan;
import io.weir.internal.rules.whatif.LimitArithmetic.DayLumps;
import io.weir.internal.value.DurationText;
import io.weir.rules.problem.QueryTooLargeException;
import io.weir.rules.usage.WhatIf;
import io.weir.rules.usage.WhatIfLimit;
import io.weir.rules.usage.WhatIfResult;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
  private static final String FAILURE = "the limit can't be compared with recorded usage";
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
      long[] unknown = {0};
      Sql.of("SELECT endpoint, SUM(CASE WHEN user_id = '*' THEN requests ELSE 0 END) FROM ")
          .then(span.sql(Sql.NOTHING))
          .then(" GROUP BY endpoint ORDER BY endpoint")
          .each(
              connection,
              row -> {
                if (endpoints.add(row.getString(1))) {
                  unknown[0] += row.getLong(2);
                }
              });
      return unknown[0];
    }

    /** Selects the rows of known callers of the tier at the endpoints. */
    private Sql counted() {
      return span.sql(condition());
    }

    private Sql condition() {
      return Sql.of(" AND user_id <> '*'").then(endpoints.sql()).then(limit.tier().map(tiers::is));
    }

    private Sql callersByDay() {
      return Sql.of(
              "(SELECT user_id, at_day, SUM(requests) AS requests, SUM(peak_minute) AS peaks FROM ")
          .then(counted())
          .then(" GROUP BY user_id, at_day) d");
    }

    private Sql callersByHour() {
      return Sql.of(
              "(SELECT user_id, starts_at, SUM(requests) AS requests, SUM(peak_minute) AS peaks"
                  + " FROM weir.usage_hourly u WHERE starts_at >= ? AND starts_at < ?",
              from,
              until)
          .then(condition())
          .then(" GROUP BY user_id, starts_at) h");
    }

    private void readDays() throws SQLException {
      Sql.of("SELECT at_day, SUM(requests), COUNT(*) FROM ")
          .then(callersByDay())
          .then(" GROUP BY at_day")
          .each(connection, row -> sums.day(day(second(row, 1)), row.getLong(2), row.getLong(3)));
    }

    private void readTotals() throws SQLException {
      Sql.of(
              "SELECT COUNT(*), SUM(requests), SUM(refused), SUM(permits) FROM (SELECT user_id,"
                  + " SUM(requests) AS requests, SUM(refused) AS refused,"
                  + " SUM(permits) AS permits FROM ")
          .then(counted())
          .then(" GROUP BY user_id) c")
          .each(
              connection,
              row -> sums.totals(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4)));
    }

    /** Returns the callers that the limit may refuse, by their days or hours. */
    private List<String> candidates(Sql callers, long minRequests, long minPeak)
        throws SQLException {
      List<String> found =
          Sql.of("SELECT user_id FROM ")
              .then(callers)
              .then(
                  " GROUP BY user_id HAVING MAX(requests) > ? AND MAX(peaks) > ? LIMIT ?",
                  minRequests,
                  minPeak,
                  MAX_CANDIDATES + 1)
              .all(connection, row -> row.getString(1));
      if (found.size() > MAX_CANDIDATES) {
        throw new QueryTooLargeException(
            FAILURE + ": it may refuse more than 200,000 callers; " + INSTEAD, null);
      }
      Collections.sort(found); // neighbours are read together
      return found;
    }

    /** Reads the days of all callers, where too many may be refused to read their hours. */
    private void readByDays(DayLumps lumps) throws SQLException {
      readCallers(
          Sql.of("SELECT user_id, at_day, requests, peaks FROM ")
              .then(callersByDay())
              .then(" ORDER BY user_id, at_day")
              .fetching(ROWS_AT_ONCE),
          Reading::day,
          (caller, days) -> sums.callerByDays(caller, days, lumps));
    }

    private void readHours(List<String> callers) throws SQLException {
      readCallers(
          Sql.of(
                  "SELECT user_id, starts_at, SUM(requests), SUM(peak_minute)"
                      + " FROM weir.usage_hourly WHERE user_id IN ")
              .then(Sql.list(callers))
              .then(" AND starts_at >= ? AND starts_at < ?", from, until)
              .then(endpoints.sql())
              .then(" GROUP BY user_id, starts_at ORDER BY user_id, starts_at"),
          TimeUnit.SECONDS::toHours,
          sums::caller);
    }

    /**
     * Reads rows of user, time, requests and peaks, sorted by user.
     *
     * @param number the number of a day or hour, of one of its seconds
     * @param sum takes a user with its days or hours, which are reused for the next
     */
    private void readCallers(Sql sql, LongUnaryOperator number, BiConsumer<String, CallerHours> sum)
        throws SQLException {
      var unused =
          sql.query(
              connection,
              row -> {
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
                return true;
              });
    }

    private static long second(ResultSet row, int column) throws SQLException {
      return Sql.time(row, column).getEpochSecond();
    }

    private static long day(long second) {
      return Math.floorDiv(second, DAY_SECONDS);
    }
  }
}
