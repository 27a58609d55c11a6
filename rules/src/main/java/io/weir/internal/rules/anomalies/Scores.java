package io.weir.internal.rules.anomalies;

import io.weir.rules.anomaly.AnomalyAction;

/** What scores lead to. */
final class Scores {
  /** Above it a minute is unusual, and kept out of the baseline. */
  static final double MONITOR = 2;

  static final double THROTTLE = 3;

  /** At least 16 times as many as usual. */
  static final double BLOCK = 4;

  private Scores() {}

  /**
   * What is done about a minute.
   *
   * @param score its score
   * @param most how far it may go
   */
  static AnomalyAction action(double score, AnomalyAction most) {
    AnomalyAction action =
        score > BLOCK
            ? AnomalyAction.BLOCK
            : score > THROTTLE
                ? AnomalyAction.THROTTLE
                : score > MONITOR ? AnomalyAction.MONITOR : AnomalyAction.ALLOW;
    return action.compareTo(most) > 0 ? most : action;
  }
}
