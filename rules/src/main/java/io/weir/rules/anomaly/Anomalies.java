package io.weir.rules.anomaly;

import io.weir.rules.problem.RulesUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Callers who use an endpoint far more often than usual, and what is done about them.
 *
 * <p>One node judges the requests of all nodes, once a minute. What it finds holds on every node
 * within three seconds, and ends by itself after ten minutes. {@code weir.anomaly.action} says how
 * far it may go.
 *
 * <p>Reads and writes the database in the thread of the caller, and throws {@link
 * RulesUnavailableException} where it can't. Safe for concurrent use.
 */
public interface Anomalies {
  /**
   * Those that haven't ended, at most 1,000.
   *
   * @return the newest first
   */
  List<Anomaly> current();

  /**
   * The latest, whether they have ended or not. They are kept for 30 days.
   *
   * @param most how many, 1 to 1,000
   * @return the newest first
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<Anomaly> recent(int most);

  /**
   * Those that were found in a time, whether they have ended or not.
   *
   * @param userId only those of this caller; nothing: of all
   * @param from the first moment
   * @param to the end, exclusive
   * @param after continues behind the last one of the page before; nothing: the first page
   * @param most how many, 1 to 1,000
   * @return the newest first
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<Anomaly> found(
      Optional<String> userId, Instant from, Instant to, Optional<Anomaly> after, int most);

  /**
   * Those of one caller, whether they have ended or not, at most 1,000.
   *
   * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
   * @return the newest first
   */
  List<Anomaly> of(String userId);

  /**
   * Ends what is done about a caller at an endpoint, since it is all right: nothing is done about
   * it for a day, by when what stays is usual.
   *
   * @param userId the caller
   * @param endpoint the endpoint, as {@link Anomaly#endpoint()} has it
   * @param author who ends it, for the history
   * @return whether anything was done about it
   */
  boolean end(String userId, String endpoint, String author);
}
