package io.weir.store;

/**
 * Which data a part of a store has, as far as it can tell: made at random with the data, so that
 * another one says that all of that is gone.
 *
 * <p>Data may also be replaced by an older state of itself, by a replica that lagged behind or a
 * snapshot. So nodes beat: a part of a store that has fewer beats than a node has seen has lost
 * something, and makes a new epoch.
 *
 * <p>Immutable.
 *
 * @param id who the data is; empty for a store that can't tell
 * @param beats how often nodes have said that they know it, at most ten times a second; it never
 *     falls
 * @param ageMicros how long ago it was made, by the store's clock
 * @param wiped whether it took the place of an epoch that a node knew, so that what was charged
 *     before is lost unless it is told again
 */
public record Epoch(String id, long beats, long ageMicros, boolean wiped) {
  /** The epoch of a store that can't tell. */
  public static final Epoch NONE = new Epoch("", 0, 0, false);

  /**
   * Whether it is one at all.
   *
   * @return false for {@link #NONE}
   */
  public boolean exists() {
    return !id.isEmpty();
  }

  /**
   * Whether both are of the same data.
   *
   * @param other another one
   * @return true if only time has passed between them
   */
  public boolean is(Epoch other) {
    return id.equals(other.id);
  }
}
