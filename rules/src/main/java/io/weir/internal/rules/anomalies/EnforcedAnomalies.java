package io.weir.internal.rules.anomalies;

import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.anomaly.AnomalyAction;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Holds the callers that are throttled or blocked at the moment, for requests. Most of the time it
 * is empty.
 *
 * <p>Never waits. Safe for concurrent use.
 */
public final class EnforcedAnomalies {
  private volatile Map<String, List<Anomaly>> byUser = Map.of();

  public EnforcedAnomalies() {}

  /** Returns whether no caller is throttled or blocked. */
  public boolean isEmpty() {
    return byUser.isEmpty();
  }

  /**
   * Returns the anomalies of one caller; some may have ended by now.
   *
   * @param userId the key of the caller's row
   */
  public List<Anomaly> of(String userId) {
    return byUser.getOrDefault(userId, List.of());
  }

  /**
   * Replaces all anomalies. What a person has allowed a caller overrides what was found.
   *
   * @param all the rows that haven't ended
   */
  public void replace(List<Anomaly> all, AnomalyAction strongest, Instant now) {
    Set<List<String>> allowed = new HashSet<>();
    for (Anomaly each : all) {
      if (each.action() == AnomalyAction.ALLOW && !each.since().isAfter(now)) {
        allowed.add(callerAtEndpoint(each));
      }
    }
    Map<String, List<Anomaly>> acted = new HashMap<>();
    if (strongest.compareTo(AnomalyAction.MONITOR) > 0) {
      acted.putAll(
          all.stream()
              .filter(each -> each.action().compareTo(AnomalyAction.MONITOR) > 0)
              .filter(each -> !allowed.contains(callerAtEndpoint(each)))
              .map(each -> each.action().compareTo(strongest) > 0 ? with(each, strongest) : each)
              .collect(Collectors.groupingBy(Anomaly::userId, Collectors.toUnmodifiableList())));
    }
    byUser = Map.copyOf(acted);
  }

  private static List<String> callerAtEndpoint(Anomaly anomaly) {
    return List.of(anomaly.userId(), anomaly.endpoint());
  }

  private static Anomaly with(Anomaly anomaly, AnomalyAction action) {
    return new Anomaly(
        anomaly.userId(),
        anomaly.endpoint(),
        anomaly.score(),
        anomaly.anomalous(),
        anomaly.reason(),
        action,
        anomaly.since(),
        anomaly.until());
  }
}
