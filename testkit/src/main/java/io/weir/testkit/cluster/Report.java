package io.weir.testkit.cluster;

import java.util.List;
import java.util.Map;

/**
 * Everything that has happened in a simulated cluster so far.
 *
 * <p>Immutable.
 *
 * @param start when it began, in microseconds since the epoch
 * @param end when this was written
 * @param arrivals what was asked, in order of time
 * @param admissions what was admitted and not given back, in order of time
 * @param requests how many came
 * @param refused how many were refused
 * @param degraded how many were decided without the store
 * @param waited how many weren't decided at once
 * @param undecided how many are not decided although their node lives
 * @param failed how many ended with an exception
 * @param refunded how many were given back after their response
 * @param exchanges how many claims the store executed
 * @param longestWaitMicros the longest time that a decision took at a node that didn't stand still
 * @param mostBuckets the most buckets that a node said it holds
 * @param mishaps how often what happened
 * @param ledger what doesn't add up: permits that a node spent twice, too late, or without having
 *     them
 * @param wipes what the store has lost, and when
 */
public record Report(
    long start,
    long end,
    List<Arrival> arrivals,
    List<Admission> admissions,
    long requests,
    long refused,
    long degraded,
    long waited,
    long undecided,
    long failed,
    long refunded,
    long exchanges,
    long longestWaitMicros,
    long mostBuckets,
    Map<Mishap, Integer> mishaps,
    List<String> ledger,
    List<Wipe> wipes) {

  /**
   * Validates.
   *
   * @param start when it began, in microseconds since the epoch
   * @param end when this was written
   * @param arrivals what was asked, in order of time
   * @param admissions what was admitted and not given back, in order of time
   * @param requests how many came
   * @param refused how many were refused
   * @param degraded how many were decided without the store
   * @param waited how many weren't decided at once
   * @param undecided how many are not decided although their node lives
   * @param failed how many ended with an exception
   * @param refunded how many were given back after their response
   * @param exchanges how many claims the store executed
   * @param longestWaitMicros the longest time that a decision took at a node that didn't stand
   *     still
   * @param mostBuckets the most buckets that a node said it holds
   * @param mishaps how often what happened
   * @param ledger what doesn't add up: permits that a node spent twice, too late, or without having
   *     them
   * @param wipes what the store has lost, and when
   */
  public Report {
    arrivals = List.copyOf(arrivals);
    admissions = List.copyOf(admissions);
    mishaps = Map.copyOf(mishaps);
    ledger = List.copyOf(ledger);
    wipes = List.copyOf(wipes);
  }

  /**
   * Returns the number of claims that the store executed for each requested bucket.
   *
   * @return 0 if nothing came
   */
  public double exchangesPerRequest() {
    return arrivals.isEmpty() ? 0 : exchanges / (double) arrivals.size();
  }
}
