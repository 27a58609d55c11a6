package io.weir.benchmarks.soak;

/**
 * The state of a node.
 *
 * <p>Immutable.
 *
 * @param heap bytes in use after collection
 * @param threads how many live
 * @param decisions how many it has made so far
 * @param degraded how many of them without the store
 * @param failed how many calls threw something
 * @param longestMicros how long the longest took
 */
record NodeState(
    long heap, long threads, long decisions, long degraded, long failed, long longestMicros) {
  static NodeState parse(String line) {
    String[] words = line.split(" ", -1);
    long[] each = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      each[i] = Long.parseLong(words[i]);
    }
    return new NodeState(each[0], each[1], each[2], each[3], each[4], each[5]);
  }

  /** Adds the states of two nodes. */
  NodeState plus(NodeState other) {
    return new NodeState(
        heap + other.heap,
        threads + other.threads,
        decisions + other.decisions,
        degraded + other.degraded,
        failed + other.failed,
        Math.max(longestMicros, other.longestMicros));
  }

  @Override
  public String toString() {
    return String.join(
        " ",
        "" + heap,
        "" + threads,
        "" + decisions,
        "" + degraded,
        "" + failed,
        "" + longestMicros);
  }
}
