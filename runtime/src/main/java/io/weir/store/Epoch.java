package io.weir.store;

/**
 * Identifies the data of one partition of a store: made at random with the data, so that a
 * different one means that all of the old data is gone.
 *
 * <p>Data may also be replaced by an older state of itself, from a replica that lagged behind or a
 * snapshot. So nodes count beats: a partition that has fewer beats than a node has seen has lost
 * data, and makes a new epoch.
 *
 * <p>Immutable.
 *
 * @param id identifies the data; empty for a store without epochs
 * @param beats how often nodes have confirmed that they know it, at most ten times a second; never
 *     decreases
 * @param ageMicros its age in microseconds, by the store's clock
 * @param wiped whether it replaced an epoch that a node knew, so that earlier charges are lost
 *     unless they are reported again
 */
public record Epoch(String id, long beats, long ageMicros, boolean wiped) {
  /** The epoch of a store without epochs. */
  public static final Epoch NONE = new Epoch("", 0, 0, false);

  /**
   * Returns whether it identifies any data.
   *
   * @return false for {@link #NONE}
   */
  public boolean exists() {
    return !id.isEmpty();
  }

  /**
   * Returns whether both identify the same data.
   *
   * @param other another one
   * @return true if they differ in beats and age at most
   */
  public boolean is(Epoch other) {
    return id.equals(other.id);
  }
}
