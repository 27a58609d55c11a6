package io.weir.store;

/**
 * What a node's heartbeat is answered.
 *
 * <p>Immutable.
 *
 * @param live how many nodes share the store, this one included; 1 and more
 * @param share this node's share of what may be borrowed, in parts per million, 0 to 1,000,000
 */
public record Membership(int live, int share) {
  /** The share of a node that is alone. */
  public static final int WHOLE = 1_000_000;

  /**
   * Validates.
   *
   * @param live see the record
   * @param share see the record
   * @throws IllegalArgumentException if a number is outside its range
   */
  public Membership {
    if (live < 1 || share < 0 || share > WHOLE) {
      throw new IllegalArgumentException("no membership: " + live + " live, share " + share);
    }
  }
}
