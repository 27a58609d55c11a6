package io.weir.internal.writeback.channel;

import java.util.function.Consumer;

/** Queues claims that report to a partition, after it has lost its data, what it had charged. */
public interface DataLossListener {
  /**
   * Handles the loss. Until this returns, nothing is sent to the partition.
   *
   * @param queue takes the claims, which are sent afterwards
   */
  void dataLost(int partition, Consumer<ClaimSource> queue);
}
