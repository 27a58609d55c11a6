package io.weir.internal.writeback;

import io.weir.internal.clock.SafeScheduler;
import io.weir.internal.writeback.channel.PartitionChannel;
import io.weir.internal.writeback.channel.PartitionChannels;
import io.weir.internal.writeback.channel.SafeStoreListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Visits the active buckets once a flush interval: tops up leases, gives back idle permits, sends
 * debts. All claims for one partition go in one call.
 *
 * <p>Invariant: when the result of {@link #close} is complete, no bucket is held by a thread that
 * has taken it out of the flush queue. So the last flush, which follows, visits all of them.
 *
 * <p>Safe for concurrent use.
 */
final class WriteBackFlusher {
  private final CacheContext context;
  private final BucketCache buckets;
  private final PartitionChannels channels;
  private final DataLossRecovery recovery;
  private final SafeScheduler scheduler;
  private final SafeStoreListener listener;
  private final AtomicLong visited = new AtomicLong();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** Guarded by this. */
  private boolean closed;

  /** Whether a tick is visiting buckets. Guarded by this. */
  private boolean visiting;

  WriteBackFlusher(
      CacheContext context,
      BucketCache buckets,
      PartitionChannels channels,
      DataLossRecovery recovery,
      SafeScheduler scheduler,
      SafeStoreListener listener) {
    this.context = context;
    this.buckets = buckets;
    this.channels = channels;
    this.recovery = recovery;
    this.scheduler = scheduler;
    this.listener = listener;
  }

  /** Starts flushing; called once. */
  void start() {
    next();
  }

  private void next() {
    scheduler.runAfter(context.flushInterval(), this::tick);
  }

  private void tick() {
    if (!begin()) {
      return;
    }
    try {
      try {
        visitAll();
      } finally {
        end();
      }
      send();
      channels.checkEpochs();
    } finally {
      next(); // whatever is thrown: without flushes permits would be kept forever
    }
  }

  private synchronized boolean begin() {
    visiting = !closed;
    return visiting;
  }

  private void end() {
    boolean isLast;
    synchronized (this) {
      visiting = false;
      isLast = closed;
    }
    if (isLast) {
      ended.complete(null);
    }
  }

  void flush() {
    visitAll();
    send();
  }

  private void visitAll() {
    long now = context.now();
    context.flushQueue().drain(active -> visit(active, now));
  }

  private void send() {
    recovery.retry(channels);
    channels.pump();
  }

  private void visit(FlushableBucket active, long now) {
    visited.incrementAndGet();
    FlushableBucket.FlushResult result = FlushableBucket.FlushResult.STAY;
    try {
      result = active.flush(now);
      if (active.wasUsed()) {
        buckets.markUsed(active.bucket());
      }
      if (result == FlushableBucket.FlushResult.CLAIM) {
        PartitionChannel channel = channels.of(active.bucket());
        channel.enqueue(active);
        channel.pumpIfFull(); // the store needn't wait until all are visited
      }
    } catch (RuntimeException | Error mistake) { // of one bucket, not of all
      listener.failed(mistake);
    }
    if (result == FlushableBucket.FlushResult.LEAVE) {
      buckets.forgetActive(active);
    } else {
      context.flushQueue().add(active);
    }
  }

  long visited() {
    return visited.get();
  }

  /** Completed when a flush that has begun has visited its buckets. */
  CompletionStage<Void> close() {
    boolean isIdle;
    synchronized (this) {
      closed = true;
      isIdle = !visiting;
    }
    if (isIdle) {
      ended.complete(null);
    }
    return ended;
  }
}
