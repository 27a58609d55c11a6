package io.weir.rules.outcome;

import io.weir.rules.problem.RulesUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads what the policies of all nodes decide: at present, and by hour.
 *
 * <p>Reads the database in the calling thread, and throws {@link RulesUnavailableException} if it
 * is unavailable. Safe for concurrent use.
 */
public interface Outcomes {
  /** The most rows that can be read at once. */
  int MAX_ROWS = 1_000;

  /**
   * Sums up the latest reports of all nodes.
   *
   * @return the sums
   */
  CurrentOutcomes current();

  /**
   * Returns sums by policy and hour, oldest first, and those of an hour by policy. Nodes add to
   * them every two seconds ({@code weir.usage.interval}), also with {@code weir.usage=false}.
   *
   * @param policy only of the policy of this name; empty for all
   * @param from hours that begin then or later
   * @param until hours that begin earlier than then
   * @param last the last row that was read before, to read the next ones; empty for the first ones
   * @param most the most rows to return, 1 to {@value #MAX_ROWS}
   * @return the rows
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<HourlyOutcomes> hours(
      Optional<String> policy,
      Instant from,
      Instant until,
      Optional<HourlyOutcomes> last,
      int most);

  /**
   * Returns sums by hour of all policies together, oldest first. Hours without decisions have none.
   *
   * @param from hours that begin then or later
   * @param until hours that begin earlier than then
   * @param most the most sums to return, 1 to {@value #MAX_ROWS}
   * @return the sums, each as the one of a policy named {@value HourlyOutcomes#OTHERS}
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<HourlyOutcomes> hoursOfAll(Instant from, Instant until, int most);

  /**
   * Adds a listener to {@link #current}, which is summed up once for all listeners whenever this
   * node has reported, every five seconds; not while the database is unavailable, nor before an
   * application uses these rules. Without listeners nothing is read.
   *
   * @param listener called by the thread that reports, so it must return at once; what it throws is
   *     logged
   * @return removes the listener when it is closed
   */
  AutoCloseable listen(Consumer<CurrentOutcomes> listener);
}
