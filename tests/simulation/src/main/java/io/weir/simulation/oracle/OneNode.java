package io.weir.simulation.oracle;

import io.weir.store.BucketArithmetic;
import io.weir.testkit.cluster.Arrival;
import java.util.List;
import java.util.TreeMap;

/**
 * Computes what one node without any delay would have admitted of the same arrivals: the measure
 * for how much of a limit a cluster lets be used.
 *
 * <p>Counts in the simplest way there is. Sliding windows count by slots, 60 at most, each at least
 * as long as a grant must live.
 *
 * <p>Confine to one thread.
 */
public final class OneNode {
  private final Bound bound;
  private final long slots;
  private final TreeMap<Long, Long> used = new TreeMap<>();
  private long sum;
  private long level;
  private long at = Long.MIN_VALUE;

  private OneNode(Bound bound, long minLife) {
    this.bound = bound;
    this.slots = Math.max(1, Math.min(BucketArithmetic.SLOTS, bound.window() / minLife));
  }

  /**
   * Counts what would have been admitted.
   *
   * @param bound what is allowed
   * @param minLife the shortest life of a grant in microseconds
   * @param arrivals of one bucket, in order of time
   * @param from since when to count; what came before fills the bucket
   * @return permits
   */
  public static long admits(Bound bound, long minLife, List<Arrival> arrivals, long from) {
    OneNode node = new OneNode(bound, minLife);
    long admitted = 0;
    for (Arrival arrival : arrivals) {
      if (node.admits(arrival.time(), arrival.permits()) && arrival.time() >= from) {
        admitted += arrival.permits();
      }
    }
    return admitted;
  }

  private boolean admits(long time, long permits) {
    return switch (bound.kind()) {
      case PER_WINDOW -> slotted(bound.windowOf(time), 0, permits);
      case PER_INTERVAL -> slotted(time * slots / bound.window(), slots, permits);
      case FLOW -> fits(time, permits);
      case STEPS -> stepped(time, permits);
    };
  }

  private boolean slotted(long slot, long before, long permits) {
    while (!used.isEmpty() && used.firstKey() < slot - before) {
      sum -= used.pollFirstEntry().getValue();
    }
    if (sum + permits > bound.effectiveLimit()) {
      return false;
    }
    sum += permits;
    used.merge(slot, permits, Long::sum);
    return true;
  }

  private boolean stepped(long time, long permits) {
    for (; sum > 0 && time >= at; at += bound.window()) {
      sum = Math.max(0, sum - bound.refill());
    }
    if (sum + permits > bound.burst()) {
      return false;
    }
    at = sum == 0 ? time + bound.window() : at;
    sum += permits;
    return true;
  }

  private boolean fits(long time, long permits) {
    if (at != Long.MIN_VALUE) {
      level = Math.max(0, level - (time - at) * bound.effectiveLimit());
    }
    at = time;
    if (level + permits * bound.window() > bound.burst() * bound.window()) {
      return false;
    }
    level += permits * bound.window();
    return true;
  }

  /**
   * Returns whether a first burst is to be left out of what is compared.
   *
   * @param bound what is allowed
   * @return true for bucket algorithms
   */
  static boolean startsFull(Bound bound) {
    return bound.kind() == Bound.Kind.FLOW || bound.kind() == Bound.Kind.STEPS;
  }
}
