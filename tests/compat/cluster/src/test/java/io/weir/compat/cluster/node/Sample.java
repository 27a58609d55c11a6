package io.weir.compat.cluster.node;

import java.util.List;

/**
 * One decision as its caller saw it. Immutable.
 *
 * <p>The times are of the machine's monotonic clock, which all JVMs of a machine share. The
 * decision's own time lies between them.
 *
 * @param before when the caller asked, in nanoseconds
 * @param after when it had the answer
 * @param thread which of the node's threads asked
 * @param key which of the keys it asked for
 * @param admitted whether it was admitted
 * @param degraded whether it was decided without the store
 */
public record Sample(
    long before, long after, int thread, int key, boolean admitted, boolean degraded) {
  /** The time that the caller waited, in nanoseconds. */
  public long nanos() {
    return after - before;
  }

  String line() {
    return before + " " + nanos() + " " + thread + " " + key + " " + admitted + " " + degraded;
  }

  /** Reads what a node wrote. */
  public static Sample parse(String line) {
    List<String> words = List.of(line.split(" "));
    long before = Long.parseLong(words.get(0));
    return new Sample(
        before,
        before + Long.parseLong(words.get(1)),
        Integer.parseInt(words.get(2)),
        Integer.parseInt(words.get(3)),
        Boolean.parseBoolean(words.get(4)),
        Boolean.parseBoolean(words.get(5)));
  }
}
