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
 * What is done about callers at the moment, for requests: callers who are slowed down or refused,
 * and nobody else. Most of the time it is empty.
 *
 * <p>Never waits. Safe for concurrent use.
 */
public final class CurrentAnomalies {
  private volatile Map<String, List<Anomaly>> byUser = Map.of();

  /** Knows nobody yet. */
  public CurrentAnomalies() {}

  /**
   * Whether nothing is done about anybody.
   *
   * @return then nothing else has to be asked
   */
  public boolean isEmpty() {
    return byUser.isEmpty();
  }

  /**
   * What is done about one caller, perhaps ended by now.
   *
   * @param userId the key of the caller's row
   * @return none most of the time
   */
  public List<Anomaly> of(String userId) {
    return byUser.getOrDefault(userId, List.of());
  }

  /**
   * Takes what holds now in place of what it has. Where a person has allowed a caller something,
   * nothing else is done about it.
   *
   * @param all the rows that haven't ended
   * @param most how far any of them may go
   * @param now the time
   */
  public void replace(List<Anomaly> all, AnomalyAction most, Instant now) {
    Set<List<String>> allowed = new HashSet<>();
    for (Anomaly each : all) {
      if (each.action() == AnomalyAction.ALLOW && !each.since().isAfter(now)) {
        allowed.add(place(each));
      }
    }
    Map<String, List<Anomaly>> acted = new HashMap<>();
    if (most.compareTo(AnomalyAction.MONITOR) > 0) {
      acted.putAll(
          all.stream()
              .filter(each -> each.action().compareTo(AnomalyAction.MONITOR) > 0)
              .filter(each -> !allowed.contains(place(each)))
              .map(each -> each.action().compareTo(most) > 0 ? with(each, most) : each)
              .collect(Collectors.groupingBy(Anomaly::userId, Collectors.toUnmodifiableList())));
    }
    byUser = Map.copyOf(acted);
  }

  private static List<String> place(Anomaly anomaly) {
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
