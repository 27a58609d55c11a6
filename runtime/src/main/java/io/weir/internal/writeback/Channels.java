package io.weir.internal.writeback;

import io.weir.store.BucketId;
import io.weir.store.LeasingStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The lanes of a store, by the number that it gives them.
 *
 * <p>Safe for concurrent use.
 */
final class Channels {
  private final ConcurrentMap<Integer, Channel> lanes = new ConcurrentHashMap<>();
  private final LeasingStore store;
  private final CacheContext node;
  private final SafeScheduler timers;
  private final DataLossRecovery recount;

  Channels(LeasingStore store, CacheContext node, SafeScheduler timers, DataLossRecovery recount) {
    this.store = store;
    this.node = node;
    this.timers = timers;
    this.recount = recount;
  }

  /** The lane of a bucket, which changes when the store moves the bucket. */
  Channel of(BucketId bucket) {
    return lanes.computeIfAbsent(
        store.partition(bucket),
        lane -> new Channel(lane, store, node, new PartitionBreaker(), timers, recount));
  }

  /** Asks the lane of a bucket which data it has, unless that is known; completed when it is. */
  CompletableFuture<Void> meet(BucketId bucket) {
    return of(bucket).era().meet().toCompletableFuture();
  }

  /** Sends all that is queued, for the last time; completed when all of it is over. */
  CompletableFuture<Void> end() {
    return CompletableFuture.allOf(
        lanes.values().stream().map(Channel::end).toArray(CompletableFuture[]::new));
  }

  /** Asks each lane which data it has. */
  void watch() {
    lanes.values().forEach(Channel::watch);
  }

  /** Sends all that is queued. */
  void pump() {
    lanes.values().forEach(Channel::pump);
  }
}
