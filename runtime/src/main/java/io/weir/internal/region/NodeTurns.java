package io.weir.internal.region;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Has the nodes of a region take turns with what one of them can do for all, since all do it to the
 * same bucket: about four of them do it in each interval. In Cassandra such a bucket is replaced by
 * transactions, and those of a hundred nodes a second would get in each other's way.
 *
 * <p>Safe for concurrent use.
 */
final class NodeTurns {
  private static final int AT_A_TIME = 4;

  private final int most;
  private volatile int live = 1;

  /**
   * Begins with a node that is alone: each turn is its own.
   *
   * @param most the largest number of intervals from one turn of a node to its next
   */
  NodeTurns(long most) {
    this.most = (int) Math.max(1, Math.min(most, 1_000));
  }

  /** Notes how many nodes of the region live, this one included. */
  void learn(int nodes) {
    live = nodes;
  }

  private int intervals() {
    return Math.max(1, Math.min(most, live / AT_A_TIME));
  }

  /** Makes the turns of this node with one subject. */
  Turn turn() {
    return new Turn();
  }

  /** Counts intervals. Safe for concurrent use. */
  final class Turn {
    private int length;
    private int left;

    /** Begins another interval; returns whether it is this node's. */
    synchronized boolean comes() {
      int now = intervals();
      if (now != length) {
        length = now;
        left = ThreadLocalRandom.current().nextInt(now); // nodes may have started together
      }
      if (left > 0) {
        left--;
        return false;
      }
      left = length - 1;
      return true;
    }
  }
}
