package io.weir.rules.outcome;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Sums up what all nodes that share a database decide at present: for each node, what it did
 * between its last two reports, which are five seconds apart.
 *
 * @param at when the reports were read, by the database's clock
 * @param nodes the nodes that have reported within the last 15 seconds
 * @param silentNodes the nodes that have reported within the last minute, but not within the last
 *     15 seconds; they aren't in the sums
 * @param oldest the age of the oldest report in the sums; zero if there is none
 * @param isComplete whether the sums have all that is known to have been decided; if not, {@code
 *     note} says what is missing
 * @param totals the rates of all policies together
 * @param policies the rates of each policy that has decided something, busiest first
 * @param note what is missing, in words for people
 */
public record CurrentOutcomes(
    Instant at,
    int nodes,
    int silentNodes,
    Duration oldest,
    boolean isComplete,
    OutcomeRates totals,
    List<PolicyRates> policies,
    Optional<String> note) {
  /** Copies the policies. */
  public CurrentOutcomes {
    policies = List.copyOf(policies);
  }
}
