package io.weir.internal.writeback.channel;

import io.weir.store.BucketId;
import io.weir.store.LeasingStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntFunction;

/**
 * Keeps the channels of a store, by the number of the partition.
 *
 * <p>Safe for concurrent use.
 */
public final class PartitionChannels {
  private final ConcurrentMap<Integer, PartitionChannel> channels = new ConcurrentHashMap<>();
  private final LeasingStore store;
  private final IntFunction<PartitionChannel> open;

  public PartitionChannels(LeasingStore store, IntFunction<PartitionChannel> open) {
    this.store = store;
    this.open = open;
  }

  /** Returns the channel of a bucket: a different one once the store has moved the bucket. */
  public PartitionChannel of(BucketId bucket) {
    int partition = store.partition(bucket);
    PartitionChannel opened = channels.get(partition);
    return opened != null ? opened : channels.computeIfAbsent(partition, open::apply);
  }

  /** Completed when the epoch of a bucket's partition is known. */
  public CompletableFuture<Void> whenKnown(BucketId bucket) {
    return of(bucket).epochs().whenKnown().toCompletableFuture();
  }

  /**
   * Sends all that is queued for the last time; completed when all of it is answered or overdue.
   */
  public CompletableFuture<Void> end() {
    return CompletableFuture.allOf(
        channels.values().stream().map(PartitionChannel::end).toArray(CompletableFuture[]::new));
  }

  /** Asks each partition for its epoch, and ends the channels of removed partitions. */
  public void checkEpochs() {
    channels.forEach(
        (partition, channel) -> {
          if (store.hasPartition(partition)) {
            channel.checkEpoch();
          } else if (channels.remove(partition, channel)) {
            // What is queued still goes out: the store sends each claim to where its bucket is now.
            CompletableFuture<Void> unused = channel.end();
          }
        });
  }

  public void pump() {
    channels.values().forEach(PartitionChannel::pump);
  }
}
