package io.weir.testkit.cluster;

import io.weir.testkit.virtual.VirtualTime;
import java.util.Random;

/**
 * Simulates the network between nodes and the store: each message takes its own time, so that they
 * overtake each other, and some are lost.
 *
 * <p>Confine to one thread.
 */
final class Network {
  private final VirtualTime time;
  private final Random random;
  private final long latency;
  private final long jitter;
  private Faults faults;
  private long fastest;
  private long slower;
  private boolean away;
  private int laneAway = -1;

  Network(VirtualTime time, Random random, long latency, long jitter, Faults faults) {
    this.time = time;
    this.random = random;
    this.latency = latency;
    this.jitter = jitter;
    this.faults = faults;
  }

  /** Sends a message, which arrives later or is lost. */
  void send(Node node, int partition, Runnable arrives) {
    if (reaches(node, partition) && !chance(faults.loss())) {
      time.after(delay(), arrives);
    }
  }

  /** Returns whether a connection is refused, instead of messages being lost. */
  boolean refuses(Node node, int partition) {
    return !reaches(node, partition) && node.refused();
  }

  /** Returns whether a message can get through. */
  boolean reaches(Node node, int partition) {
    return !away && partition != laneAway && !node.cut();
  }

  /** Has each message take half of a random time between these two. */
  void slow(long least, long most) {
    fastest = least;
    slower = most - least;
  }

  long delay() {
    if (fastest > 0) {
      return (fastest + (long) (random.nextDouble() * slower)) / 2;
    }
    double extra = -Math.log(1 - random.nextDouble()) * jitter;
    double spike = chance(faults.spikes()) ? random.nextDouble() * faults.spike().toNanos() : 0;
    return latency / 2 + (long) extra + (long) (spike / 1_000);
  }

  boolean claimFails() {
    return chance(faults.claimFailures());
  }

  boolean chance(double share) {
    return share > 0 && random.nextDouble() < share;
  }

  void away(boolean gone) {
    away = gone;
  }

  void laneAway(int partition) {
    laneAway = partition;
  }

  void heal() {
    faults = Faults.none();
    fastest = 0;
    away = false;
    laneAway = -1;
  }
}
