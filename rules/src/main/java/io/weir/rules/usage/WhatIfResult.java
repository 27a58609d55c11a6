package io.weir.rules.usage;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * Counts the recorded requests that a limit would have refused. Figures of refused requests and
 * callers are those of windows that begin at fixed times, the algorithm {@code FIXED_WINDOW};
 * {@code rolling} has those of others.
 *
 * <p>Immutable.
 *
 * @param exact whether the figures are what the limit would have done; if not, they are upper
 *     bounds
 * @param callers the number of known callers with requests
 * @param requests their decided requests, also refused ones
 * @param refusedThen those of them that were refused at the time
 * @param refusedRequests those of them that the limit would have refused
 * @param affectedCallers the callers of which it would have refused some
 * @param rolling the bounds of windows that roll; empty for windows of the calendar, which never do
 * @param days each day of the time in UTC, the oldest first
 * @param worst the callers with the most refused requests first, at most 20
 * @param unknown facts that the figures don't have
 */
public record WhatIfResult(
    boolean exact,
    long callers,
    long requests,
    long refusedThen,
    long refusedRequests,
    long affectedCallers,
    Optional<Rolling> rolling,
    List<Day> days,
    List<Caller> worst,
    Unknown unknown) {
  /** Copies the lists. */
  public WhatIfResult {
    days = List.copyOf(days);
    worst = List.copyOf(worst);
  }

  /**
   * Bounds what the algorithms {@code SLIDING_WINDOW}, {@code SLIDING_LOG} and {@code TOKEN_BUCKET}
   * with a burst of the limit would have refused, with the same limit and window.
   *
   * @param refusedRequests an upper bound of refused requests
   * @param affectedCallers an upper bound of the callers of which some were refused
   */
  public record Rolling(long refusedRequests, long affectedCallers) {}

  /**
   * Counts the requests of a day in UTC. If the result isn't exact, a day's figures are its share
   * of the bound: only the sums from the first day up to a day are bounds of their own.
   *
   * @param date the day
   * @param requests decided requests
   * @param refused those that the limit would have refused
   * @param callers callers with requests
   * @param affectedCallers callers of which it would have refused some
   */
  public record Day(
      LocalDate date, long requests, long refused, long callers, long affectedCallers) {}

  /**
   * Counts the requests of a caller.
   *
   * @param userId the user
   * @param requests decided requests
   * @param refused those that the limit would have refused
   */
  public record Caller(String userId, long requests, long refused) {}

  /**
   * Names what the figures don't have.
   *
   * @param unknownCallers requests of unknown callers at these endpoints; not in any figure
   * @param permits the permits that the admitted requests of known callers took, each of which
   *     counts as one here
   * @param partlyMatched endpoints of which the pattern matches some requests, at most 10; all of
   *     their requests are counted
   * @param recordedSince the first recorded hour, if that is later than the beginning of the time
   */
  public record Unknown(
      long unknownCallers,
      long permits,
      List<String> partlyMatched,
      Optional<Instant> recordedSince) {
    /** Copies the endpoints. */
    public Unknown {
      partlyMatched = List.copyOf(partlyMatched);
    }
  }
}
