package io.weir.rules.anomaly;

/**
 * What is done about a caller who uses an endpoint far more often than usual; the mildest first.
 */
public enum AnomalyAction {
  /** Nothing: it is as usual, or a person has said that it may be. */
  ALLOW,
  /** It is told, and nothing else. */
  MONITOR,
  /** The caller has half of each limit at the endpoint. */
  THROTTLE,
  /** The caller is refused at the endpoint. */
  BLOCK
}
