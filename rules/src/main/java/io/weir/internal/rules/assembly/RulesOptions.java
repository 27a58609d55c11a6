package io.weir.internal.rules.assembly;

import io.weir.internal.rules.request.CallerSettings;
import io.weir.internal.value.DurationText;
import io.weir.rules.anomaly.AnomalyAction;
import io.weir.spi.SourceContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * The options of rules.
 *
 * @param timeout the longest wait of a request for the look-up of its caller
 * @param callers the most callers that are cached
 * @param snapshot the file with the rules of the last run; empty if there is none
 * @param isRequired whether the start fails if the database is away
 * @param interval the time from the end of a look for changes to the next one
 * @param usage recording of usage, and retention
 * @param anomalies the strongest action against callers with unusual usage
 * @param quotaTimeout the longest wait of a request for a quota that isn't known
 * @param tables the schema of tables and views that Weir didn't make; empty: tables of the search
 *     path
 */
public record RulesOptions(
    Function<SourceContext, CallerSettings> requests,
    Duration timeout,
    int callers,
    Optional<Path> snapshot,
    boolean isRequired,
    Duration interval,
    UsageOptions usage,
    AnomalyAction anomalies,
    Duration quotaTimeout,
    Optional<String> tables) {
  public static final Duration USUAL_TIMEOUT = Duration.ofMillis(50);

  public static final Duration USUAL_QUOTA_TIMEOUT = Duration.ofMillis(500);

  public static final Duration MIN_TIMEOUT = Duration.ofMillis(1);

  public static final Duration MAX_TIMEOUT = Duration.ofSeconds(10);

  public static final int USUAL_CALLERS = 100_000;

  public static final int MAX_CALLERS = 100_000_000;

  public static final AnomalyAction USUAL_ANOMALIES = AnomalyAction.MONITOR;

  /**
   * With the usual wait for quotas, or that for callers if it is longer, and with the tables of the
   * search path that Weir didn't make.
   */
  public RulesOptions(
      Function<SourceContext, CallerSettings> requests,
      Duration timeout,
      int callers,
      Optional<Path> snapshot,
      boolean isRequired,
      Duration interval,
      UsageOptions usage,
      AnomalyAction anomalies) {
    this(
        requests,
        timeout,
        callers,
        snapshot,
        isRequired,
        interval,
        usage,
        anomalies,
        timeout.compareTo(USUAL_QUOTA_TIMEOUT) > 0 ? timeout : USUAL_QUOTA_TIMEOUT,
        Optional.empty());
  }

  /** Throws {@link IllegalArgumentException} if one is out of range. */
  public RulesOptions {
    if (timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "timeout must be 1 ms to 10 s, not " + DurationText.inWords(timeout));
    }
    if (callers < 1 || callers > MAX_CALLERS) {
      throw new IllegalArgumentException("callers must be 1 to 100,000,000, not " + callers);
    }
  }
}
