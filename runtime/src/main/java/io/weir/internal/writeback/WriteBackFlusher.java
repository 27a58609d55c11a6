package io.weir.internal.writeback;

import io.weir.internal.writeback.channel.PartitionChannel;
import io.weir.internal.writeback.channel.PartitionChannels;
import io.weir.internal.writeback.channel.SafeStoreListener;
import io.weir.internal.writeback.clock.SafeScheduler;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Visits the active buckets once a flush interval: tops up leases, gives back idle permits, sends
 * debts. All claims for one partition go in one call.
 *
 * <p>Safe for concurrent use; one flush runs at a time.
 */
final class WriteBackFlusher {
  private final CacheContext context;
  private final BucketCache buckets;
  private final PartitionChannels channels;
  private final DataLossRecovery recovery;
  private final SafeScheduler scheduler;
  private final SafeStoreListener listener;
  private final AtomicLong visited = new AtomicLong();
  private volatile boolean closed;

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
    if (closed) {
      return;
    }
    try {
      flush();
      channels.checkEpochs();
    } finally {
      next(); // whatever is thrown: without flushes permits would be kept forever
    }
  }

  /** Flushes once. */
  void flush() {
    long now = context.now();
    context.flushQueue().drain(active -> visit(active, now));
    recovery.retry(channels);
    channels.pump();
  }

  private void visit(FlushableBucket active, long now) {
    visited.incrementAndGet();
    FlushableBucket.FlushResult result = FlushableBucket.FlushResult.STAY;
    try {
      result = active.flush(now);
      if (active.wasUsed()) {
        buckets.used(active.bucket());
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
      buckets.left(active);
    } else {
      context.flushQueue().add(active);
    }
  }

  /** The number of visits so far. */
  long visited() {
    return visited.get();
  }

  void close() {
    closed = true;
  }
}
