package io.weir.internal.rules.assembly;

import io.weir.internal.rules.request.RequestSettings;
import io.weir.rules.AnomalyAction;
import io.weir.spi.SourceContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * What rules are opened with.
 *
 * @param requests how callers are told apart
 * @param timeout how long a request waits for the look-up of its caller
 * @param callers how many callers to keep
 * @param snapshot the file with the rules of the last run; nothing: none
 * @param isRequired whether the start fails if the database is away
 * @param interval how long after a look for changes the next one begins
 * @param usage what is written of requests, and how long it is kept
 * @param anomalies how far it may go against callers whose usage is unusual
 */
public record RulesOptions(
    Function<SourceContext, RequestSettings> requests,
    Duration timeout,
    int callers,
    Optional<Path> snapshot,
    boolean isRequired,
    Duration interval,
    UsageOptions usage,
    AnomalyAction anomalies) {
  /** How long a request waits, unless set. */
  public static final Duration USUAL_TIMEOUT = Duration.ofMillis(50);

  /** The shortest time-out. */
  public static final Duration MIN_TIMEOUT = Duration.ofMillis(1);

  /** The longest time-out. */
  public static final Duration MAX_TIMEOUT = Duration.ofSeconds(10);

  /** How many callers to keep, unless set. */
  public static final int USUAL_CALLERS = 100_000;

  /** The most callers that can be kept. */
  public static final int MAX_CALLERS = 100_000_000;

  /** Anomalies are told, and nothing is done, unless set. */
  public static final AnomalyAction USUAL_ANOMALIES = AnomalyAction.MONITOR;

  /**
   * With usage and anomalies as they are unless set.
   *
   * @param requests how callers are told apart
   * @param timeout how long a request waits for the look-up of its caller
   * @param callers how many callers to keep
   * @param snapshot the file with the rules of the last run; nothing: none
   * @param isRequired whether the start fails if the database is away
   * @param interval how long after a look for changes the next one begins
   */
  public RulesOptions(
      Function<SourceContext, RequestSettings> requests,
      Duration timeout,
      int callers,
      Optional<Path> snapshot,
      boolean isRequired,
      Duration interval) {
    this(
        requests,
        timeout,
        callers,
        snapshot,
        isRequired,
        interval,
        UsageOptions.USUAL,
        USUAL_ANOMALIES);
  }

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public RulesOptions {
    if (timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException("timeout must be 1 ms to 10 s, not " + timeout);
    }
    if (callers < 1 || callers > MAX_CALLERS) {
      throw new IllegalArgumentException("callers must be 1 to 100,000,000, not " + callers);
    }
  }
}
