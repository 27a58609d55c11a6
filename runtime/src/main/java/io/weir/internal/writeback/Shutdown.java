package io.weir.internal.writeback;

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
 * How a write-back cache ends: what it holds goes back, so that others needn't wait until it ages.
 *
 * <p>Safe for concurrent use.
 */
final class Shutdown {
  private final LeasingStore store;
  private final WriteBackSettings settings;
  private final BucketCache entries;
  private final Channels lanes;
  private final Flusher flusher;
  private final Heartbeat heartbeat;
  private final AtomicReference<@Nullable CompletableFuture<Void>> drained =
      new AtomicReference<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  Shutdown(
      LeasingStore store,
      WriteBackSettings settings,
      BucketCache entries,
      Channels lanes,
      Flusher flusher,
      Heartbeat heartbeat) {
    this.store = store;
    this.settings = settings;
    this.entries = entries;
    this.lanes = lanes;
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
    flusher.close();
    heartbeat.close();
    entries.evictAll();
    flusher.flush(); // seals and queues whatever is left to tell
    return lanes.end().handle((done, failure) -> mine.complete(null)).thenCompose(done -> mine);
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

  // What can't be told in time is told by nobody: permits age, and debts are forgotten.
  private static void await(CompletionStage<?> end, long nanos) {
    try {
      end.toCompletableFuture().get(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException late) {
      System.getLogger(Shutdown.class.getName())
          .log(System.Logger.Level.DEBUG, "the store doesn't hear that this node leaves", late);
    }
  }
}
