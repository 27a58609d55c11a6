package io.weir.internal.region;

import java.util.List;

/**
 * The counts that all regions keep of one bucket.
 *
 * <p>Immutable.
 *
 * @param counting how they belong together
 * @param counts a count for each region, that of the own one first
 */
public record RegionCounts(Counting counting, List<RegionCount> counts) {
  /** Tells how the counts of several regions belong together. */
  public enum Counting {
    /** Each has the whole limit, and counts what the others have reported as well. */
    EVENTUAL,
    /** Each has a part of the limit. */
    SHARES,
    /** Each has a limit of its own: neither divided nor reported. */
    REGION
  }

  /** Copies the list. */
  public RegionCounts {
    counts = List.copyOf(counts);
  }
}
