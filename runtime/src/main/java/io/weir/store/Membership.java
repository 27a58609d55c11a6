package io.weir.store;

/**
 * The answer to a node's heartbeat.
 *
 * <p>Immutable.
 *
 * @param live the number of nodes that share the store, this one included; 1 and more
 * @param share this node's share of the overshoot, in parts per million, 0 to 1,000,000
 */
public record Membership(int live, int share) {
  /** The share of a single node. */
  public static final int WHOLE = 1_000_000;

  /**
   * Validates.
   *
   * @param live the number of nodes that share the store, this one included; 1 and more
   * @param share this node's share of the overshoot, in parts per million, 0 to 1,000,000
   * @throws IllegalArgumentException if a number is outside its range
   */
  public Membership {
    if (live < 1 || share < 0 || share > WHOLE) {
      throw new IllegalArgumentException(
          "live must be at least 1 and share 0 to 1,000,000, not " + live + " and " + share);
    }
  }
}
