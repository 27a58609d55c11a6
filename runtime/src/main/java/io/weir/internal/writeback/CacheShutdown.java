package io.weir.internal.writeback;

import io.weir.internal.writeback.channel.PartitionChannels;
import io.weir.store.LeasingStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Closes a write-back cache: gives back its permits, so that other nodes needn't wait until they
 * age out.
 *
 * <p>Safe for concurrent use.
 */
final class CacheShutdown {
  private final LeasingStore store;
  private final WriteBackSettings settings;
  private final BucketCache buckets;
  private final PartitionChannels channels;
  private final WriteBackFlusher flusher;
  private final Heartbeat heartbeat;
  private final AtomicReference<@Nullable CompletableFuture<Void>> drained =
      new AtomicReference<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  CacheShutdown(
      LeasingStore store,
      WriteBackSettings settings,
      BucketCache buckets,
      PartitionChannels channels,
      WriteBackFlusher flusher,
      Heartbeat heartbeat) {
    this.store = store;
    this.settings = settings;
    this.buckets = buckets;
    this.channels = channels;
    this.flusher = flusher;
    this.heartbeat = heartbeat;
  }

  static IllegalStateException closed() {
    return new IllegalStateException("the cache of leases is closed");
  }

  boolean hasBegun() {
    return drained.get() != null;
  }

  CompletableFuture<Void> drain() {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> first = drained.compareAndExchange(null, mine);
    if (first != null) {
      return first;
    }
    heartbeat.close();
    flusher
        .close()
        .thenCompose(done -> giveAllBack())
        .whenComplete((done, failure) -> mine.complete(null));
    return mine;
  }

  private CompletionStage<Void> giveAllBack() {
    buckets.evictAll();
    flusher.flush(); // queues whatever is left to send
    return channels.end();
  }

  void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    long most = 2 * settings.storeTimeout().toNanos();
    await(drain(), most);
    try {
      await(store.leave(settings.node()), settings.storeTimeout().toNanos());
    } finally {
      store.close();
    }
  }

  // Messages that can't be sent in time are lost: permits age out, and debts are forgotten.
  private static void await(CompletionStage<?> end, long nanos) {
    try {
      end.toCompletableFuture().get(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException late) {
      System.getLogger(CacheShutdown.class.getName())
          .log(
              System.Logger.Level.DEBUG,
              "couldn't notify the store in time that this node is leaving",
              late);
    }
  }
}
