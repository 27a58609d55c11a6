package io.weir.testkit.cluster;

import io.weir.store.BucketId;
import io.weir.testkit.store.SimulatedStore;
import java.util.Set;

/**
 * The loss of a partition's data, and the nodes that couldn't notice it in time or had nothing to
 * compare with: what those had admitted, or held, the store has forgotten for good.
 *
 * <p>Immutable.
 *
 * @param time when
 * @param partition which partition
 * @param partitions of how many
 * @param until how long after it what was granted before may be spent, but for a window
 * @param silent the numbers of those nodes
 */
public record Wipe(long time, int partition, int partitions, long until, Set<Integer> silent) {
  /**
   * Validates.
   *
   * @param time when
   * @param partition which partition
   * @param partitions of how many
   * @param until how long after it what was granted before may be spent, but for a window
   * @param silent the numbers of those nodes
   */
  public Wipe {
    silent = Set.copyOf(silent);
  }

  /**
   * Returns whether a bucket was in that partition.
   *
   * @param bucket the bucket
   * @return false if it has kept its count
   */
  public boolean concerns(BucketId bucket) {
    return SimulatedStore.partition(bucket, partitions) == partition;
  }

  /**
   * Returns whether the store can't know of an admission.
   *
   * @param admission of a bucket of that partition
   * @return true if no node could report it
   */
  public boolean forgets(Admission admission) {
    long window = admission.policy().spec().windowMicros();
    return silent.contains(admission.node()) && admission.time() < until + window;
  }
}
