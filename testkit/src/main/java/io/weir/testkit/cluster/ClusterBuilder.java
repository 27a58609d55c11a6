package io.weir.testkit.cluster;

import io.weir.store.LeasingStore;
import io.weir.testkit.load.Load;
import io.weir.testkit.store.GrantFault;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * Builds a {@link SimulatedCluster}; everything has a default.
 *
 * <p>Confine to one thread.
 */
public final class ClusterBuilder {
  private final ClusterSetup setup = new ClusterSetup();

  ClusterBuilder() {}

  /** Determines the load of nodes. */
  @FunctionalInterface
  public interface NodeLoad {
    /**
     * Returns the load of a node.
     *
     * @param node its number
     * @param micros the time, in microseconds since the epoch
     * @return 0 to 1
     */
    double of(int node, long micros);
  }

  /**
   * Sets the seed of all random numbers: runs with the same seed are equal. 1 by default.
   *
   * @param number any
   * @return this
   */
  public ClusterBuilder seed(long number) {
    setup.seed = number;
    return this;
  }

  /**
   * Sets the number of nodes at the beginning; 3 by default.
   *
   * @param count 1 and more
   * @return this
   */
  public ClusterBuilder nodes(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("nodes must be at least 1, not " + count);
    }
    setup.nodes = count;
    return this;
  }

  /**
   * Sets the time of the beginning; 2026 by default.
   *
   * @param time the store's time of day
   * @return this
   */
  public ClusterBuilder start(Instant time) {
    setup.start = time;
    return this;
  }

  /**
   * Has it share its time with other clusters, such as those of other regions. They begin by {@link
   * SimulatedCluster#begin}, and time passes for all of them together.
   *
   * @param passes what passes for all
   * @return this
   */
  public ClusterBuilder time(VirtualTime passes) {
    setup.time = Optional.of(passes);
    return this;
  }

  /**
   * Sets the settings of nodes; {@link NodeSettings#defaults()} by default.
   *
   * @param all the settings
   * @return this
   */
  public ClusterBuilder settings(NodeSettings all) {
    setup.settings = all;
    return this;
  }

  /**
   * Sets how the limiter of a node is made; by default as applications do it.
   *
   * @param how makes a limiter of its parts
   * @return this
   */
  public ClusterBuilder assembly(NodeParts.Assembly how) {
    setup.assembly = how;
    return this;
  }

  /**
   * Puts something between each node and the network.
   *
   * @param wrapper makes another store of the one that a node sees
   * @return this
   */
  public ClusterBuilder link(UnaryOperator<LeasingStore> wrapper) {
    setup.link = wrapper;
    return this;
  }

  /**
   * Sets the clock of the store; right by default. What a {@link Report} says of times stays in
   * true time.
   *
   * @param clock returns the store's time of a true time, both in microseconds since the epoch
   * @return this
   */
  public ClusterBuilder storeClock(LongUnaryOperator clock) {
    setup.storeClock = clock;
    return this;
  }

  /**
   * Sets the wrong answers of the store; none by default.
   *
   * @param fault the fault
   * @return this
   */
  public ClusterBuilder storeFault(GrantFault fault) {
    setup.storeFault = fault;
    return this;
  }

  /**
   * Sets the number of partitions of the store, which fail independently; 1 by default.
   *
   * @param count 1 and more
   * @return this
   */
  public ClusterBuilder partitions(int count) {
    setup.partitions = count;
    return this;
  }

  /**
   * Sets how long messages take; by default 0.4 ms to and fro and 0.3 ms of jitter each way.
   *
   * @param roundTrip the shortest time to the store and back
   * @param each the random addition each way, on average
   * @return this
   */
  public ClusterBuilder network(Duration roundTrip, Duration each) {
    setup.latency = roundTrip;
    setup.jitter = each;
    return this;
  }

  /**
   * Sets by how much the nodes' clocks differ; 200 by default.
   *
   * @param most by how many parts per million one runs too fast or too slow
   * @return this
   */
  public ClusterBuilder drift(int most) {
    setup.drift = most;
    return this;
  }

  /**
   * Sets the faults; none by default.
   *
   * @param all the faults
   * @return this
   */
  public ClusterBuilder faults(Faults all) {
    setup.faults = all;
    return this;
  }

  /**
   * Sets the requests that arrive; none by default.
   *
   * @param all the load
   * @return this
   */
  public ClusterBuilder load(Load all) {
    setup.load = all;
    return this;
  }

  /**
   * Sets the load of nodes, which matters to policies that follow the load; idle by default.
   *
   * @param busy the load of a node over time
   * @return this
   */
  public ClusterBuilder nodeLoad(NodeLoad busy) {
    setup.nodeLoad = busy::of;
    return this;
  }

  /**
   * Makes the cluster, before anything has happened.
   *
   * @return a cluster on a virtual clock of its own
   */
  public SimulatedCluster build() {
    return new SimulatedCluster(setup);
  }
}
