package io.weir.rules.anomaly;

/**
 * The action against a caller that uses an endpoint far more often than usual; the mildest first.
 */
public enum AnomalyAction {
  /** None: the usage is as usual, or a person has allowed it. */
  ALLOW,
  /** The anomaly is only reported. */
  MONITOR,
  /** The caller has half of each limit at the endpoint. */
  THROTTLE,
  /** The caller is refused at the endpoint. */
  BLOCK
}
