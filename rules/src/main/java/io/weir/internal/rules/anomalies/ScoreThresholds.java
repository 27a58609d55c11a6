package io.weir.internal.rules.anomalies;

import io.weir.rules.anomaly.AnomalyAction;

/** Maps scores to actions. */
final class ScoreThresholds {
  /** A minute with a higher score is unusual, and kept out of the baseline. */
  static final double MONITOR = 2;

  static final double THROTTLE = 3;

  /** A higher score means at least 16 times as many requests as usual. */
  static final double BLOCK = 4;

  private ScoreThresholds() {}

  static AnomalyAction action(double score, AnomalyAction strongest) {
    AnomalyAction action =
        score > BLOCK
            ? AnomalyAction.BLOCK
            : score > THROTTLE
                ? AnomalyAction.THROTTLE
                : score > MONITOR ? AnomalyAction.MONITOR : AnomalyAction.ALLOW;
    return action.compareTo(strongest) > 0 ? strongest : action;
  }
}
