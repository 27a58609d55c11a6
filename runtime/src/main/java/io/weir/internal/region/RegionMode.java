package io.weir.internal.region;

/** Selects how regions keep a limit together; {@code weir.regions.mode}. */
public enum RegionMode {
  /** Each region decides by its own store, and reports afterwards what its callers have used. */
  EVENTUAL,
  /** Each region counts a fixed part of every limit alone. */
  SHARES
}
