package io.weir.writeback;

import io.weir.store.Bucket;
import io.weir.store.LeasingStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The lanes of a store, by the number that it gives them.
 *
 * <p>Safe for concurrent use.
 */
final class Lanes {
  private final ConcurrentMap<Integer, Lane> lanes = new ConcurrentHashMap<>();
  private final LeasingStore store;
  private final Node node;
  private final Timers timers;
  private final Recount recount;

  Lanes(LeasingStore store, Node node, Timers timers, Recount recount) {
    this.store = store;
    this.node = node;
    this.timers = timers;
    this.recount = recount;
  }

  /** The lane of a bucket, which changes when the store moves the bucket. */
  Lane of(Bucket bucket) {
    return lanes.computeIfAbsent(
        store.lane(bucket), lane -> new Lane(lane, store, node, new Breaker(), timers, recount));
  }

  /** Asks the lane of a bucket which data it has, unless that is known; completed when it is. */
  CompletableFuture<Void> meet(Bucket bucket) {
    return of(bucket).era().meet().toCompletableFuture();
  }

  /** Sends all that is queued, for the last time; completed when all of it is over. */
  CompletableFuture<Void> end() {
    return CompletableFuture.allOf(
        lanes.values().stream().map(Lane::end).toArray(CompletableFuture[]::new));
  }

  /** Asks each lane which data it has. */
  void watch() {
    lanes.values().forEach(Lane::watch);
  }

  /** Sends all that is queued. */
  void pump() {
    lanes.values().forEach(Lane::pump);
  }
}
