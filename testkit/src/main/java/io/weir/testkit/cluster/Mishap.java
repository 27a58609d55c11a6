package io.weir.testkit.cluster;

/** Something that happens to a cluster once. */
public enum Mishap {
  /** A node can't reach the store for a while. */
  PARTITION,
  /** No node can reach the store for a while. */
  OUTAGE,
  /** No node can reach one partition of the store for a while. */
  PARTITION_AWAY,
  /** A node ends without a word; another one takes its place soon. */
  CRASH,
  /** A node stands still for a while, as in a long collection of garbage. */
  PAUSE,
  /**
   * A machine is suspended for a while: its monotonic clock stands still, the time of day doesn't.
   */
  SUSPEND,
  /** A node more. */
  JOIN,
  /** A node is closed in good order. */
  LEAVE,
  /** The time of day of a node is set back. */
  WALL_CLOCK,
  /** The store, or one partition of it, loses all that it has counted. */
  WIPE
}
