package io.weir.testkit.cluster;

import io.weir.annotation.OnStoreFailure;
import java.time.Duration;

/**
 * The settings of the nodes of a simulated cluster.
 *
 * <p>Immutable.
 *
 * @param flushInterval from one flush to the next
 * @param storeTimeout how long a decision may wait for the store
 * @param maxBuckets how many buckets a node caches
 * @param nodes how many nodes are assumed until the store reports their number
 * @param onStoreFailure what to do without the store
 * @param reserve percent of each limit that is kept back for nodes that can't ask the store
 */
public record NodeSettings(
    Duration flushInterval,
    Duration storeTimeout,
    int maxBuckets,
    int nodes,
    OnStoreFailure onStoreFailure,
    int reserve) {

  /**
   * Settings that keep nothing back.
   *
   * @param flushInterval from one flush to the next
   * @param storeTimeout how long a decision may wait for the store
   * @param maxBuckets how many buckets a node caches
   * @param nodes how many nodes are assumed until the store reports their number
   * @param onStoreFailure what to do without the store
   */
  public NodeSettings(
      Duration flushInterval,
      Duration storeTimeout,
      int maxBuckets,
      int nodes,
      OnStoreFailure onStoreFailure) {
    this(flushInterval, storeTimeout, maxBuckets, nodes, onStoreFailure, 0);
  }

  /**
   * Weir's defaults.
   *
   * @return 100 ms for both times, 100,000 buckets, one node, LOCAL
   */
  public static NodeSettings defaults() {
    Duration tenth = Duration.ofMillis(100);
    return new NodeSettings(tenth, tenth, 100_000, 1, OnStoreFailure.LOCAL);
  }
}
