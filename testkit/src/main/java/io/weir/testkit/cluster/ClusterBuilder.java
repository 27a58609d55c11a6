package io.weir.testkit.cluster;

import io.weir.store.LeasingStore;
import io.weir.testkit.load.Load;
import io.weir.testkit.store.GrantFault;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * Collects what a {@link SimulatedCluster} is made of; each part has its default until it is given.
 *
 * <p>Confine to one thread.
 */
public final class ClusterBuilder {
  private final ClusterSetup setup = new ClusterSetup();

  ClusterBuilder() {}

  /** How busy nodes are. */
  @FunctionalInterface
  public interface NodeLoad {
    /**
     * How busy a node is.
     *
     * @param node its number
     * @param micros the time, in microseconds since the epoch
     * @return 0 to 1
     */
    double of(int node, long micros);
  }

  /**
   * Sets where chance begins: the same seed has the same happen. 1 unless set.
   *
   * @param number any
   * @return this
   */
  public ClusterBuilder seed(long number) {
    setup.seed = number;
    return this;
  }

  /**
   * Sets how many nodes there are at first; 3 unless set.
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
   * Sets when it begins; 2026 unless set.
   *
   * @param time the store's time of day
   * @return this
   */
  public ClusterBuilder start(Instant time) {
    setup.start = time;
    return this;
  }

  /**
   * Sets how nodes are set up; {@link NodeSettings#defaults()} unless set.
   *
   * @param all the settings
   * @return this
   */
  public ClusterBuilder settings(NodeSettings all) {
    setup.settings = all;
    return this;
  }

  /**
   * Sets how the limiter of a node is made; as applications do it unless set.
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
   * Sets what the store answers wrong; nothing unless set.
   *
   * @param fault the fault
   * @return this
   */
  public ClusterBuilder storeFault(GrantFault fault) {
    setup.storeFault = fault;
    return this;
  }

  /**
   * Sets of how many parts the store is that fail apart; 1 unless set.
   *
   * @param count 1 and more
   * @return this
   */
  public ClusterBuilder partitions(int count) {
    setup.partitions = count;
    return this;
  }

  /**
   * Sets how long messages take; 0.4 ms to and fro and 0.3 ms of jitter each way unless set.
   *
   * @param roundTrip the shortest time to the store and back
   * @param each what chance adds each way, on average
   * @return this
   */
  public ClusterBuilder network(Duration roundTrip, Duration each) {
    setup.latency = roundTrip;
    setup.jitter = each;
    return this;
  }

  /**
   * Sets by how much the nodes' clocks differ; 200 unless set.
   *
   * @param most by how many parts per million one runs too fast or too slow
   * @return this
   */
  public ClusterBuilder drift(int most) {
    setup.drift = most;
    return this;
  }

  /**
   * Sets what goes wrong; nothing unless set.
   *
   * @param all the faults
   * @return this
   */
  public ClusterBuilder faults(Faults all) {
    setup.faults = all;
    return this;
  }

  /**
   * Sets what requests come; none unless set.
   *
   * @param all the load
   * @return this
   */
  public ClusterBuilder load(Load all) {
    setup.load = all;
    return this;
  }

  /**
   * Sets how busy nodes are, which matters to policies that follow the load; idle unless set.
   *
   * @param busy the load of a node over time
   * @return this
   */
  public ClusterBuilder nodeLoad(NodeLoad busy) {
    setup.nodeLoad = busy::of;
    return this;
  }

  /**
   * Makes the cluster. Nothing has happened yet.
   *
   * @return a cluster on a virtual clock of its own
   */
  public SimulatedCluster build() {
    return new SimulatedCluster(setup);
  }
}
