package io.weir.rules.anomaly;

import io.weir.rules.problem.RulesUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Finds callers that use an endpoint far more often than usual, and ends actions against them.
 *
 * <p>Once a minute, one node scores the requests of all nodes. An anomaly is known to every node
 * within three seconds, and ends by itself after ten minutes. {@code weir.anomaly.action} is the
 * strongest action allowed.
 *
 * <p>Reads and writes the database in the calling thread, and throws {@link
 * RulesUnavailableException} if it is unavailable. Safe for concurrent use.
 */
public interface Anomalies {
  /**
   * Returns anomalies that haven't ended, at most 1,000.
   *
   * @return the newest first
   */
  List<Anomaly> current();

  /**
   * Returns the latest anomalies, also those that have ended. They are kept for 30 days.
   *
   * @param most the most rows to return, 1 to 1,000
   * @return the newest first
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<Anomaly> recent(int most);

  /**
   * Returns anomalies that were found in a time, also those that have ended.
   *
   * @param userId only those of this caller; empty for all
   * @param from the first moment
   * @param to the end, exclusive
   * @param after the last one of the previous page; empty for the first page
   * @param most the most rows to return, 1 to 1,000
   * @return the newest first
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<Anomaly> found(
      Optional<String> userId, Instant from, Instant to, Optional<Anomaly> after, int most);

  /**
   * Returns the anomalies of one caller, also those that have ended, at most 1,000.
   *
   * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
   * @return the newest first
   */
  List<Anomaly> of(String userId);

  /**
   * Ends the actions against a caller at an endpoint, since its usage is legitimate. No further
   * action is taken for a day; by then, usage that stays as high is the usual one.
   *
   * @param userId the caller
   * @param endpoint the endpoint, as {@link Anomaly#endpoint()} has it
   * @param author the author, for the history
   * @return whether there was an action
   */
  boolean end(String userId, String endpoint, String author);
}
