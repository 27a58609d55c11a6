package io.weir.benchmarks.decisions;

/** What all that cache have in common. */
final class Cached {
  /**
   * How many buckets every cache may hold, Weir's and its peers': twice as many as the most callers
   * of the comparison. A cache that is less than half full needn't keep account of its reads.
   */
  static final int MOST = 200_000;

  private Cached() {}
}
