package io.weir.internal.writeback;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Looks after the busy entries once a flush interval: tops leases up, gives idle permits back,
 * tells debts. All that is to be said goes in one settle for each lane.
 *
 * <p>Safe for concurrent use; one flush runs at a time.
 */
final class Flusher {
  private final CacheContext node;
  private final BucketCache entries;
  private final Channels lanes;
  private final DataLossRecovery recount;
  private final SafeScheduler timers;
  private final AtomicLong visited = new AtomicLong();
  private volatile boolean closed;

  Flusher(
      CacheContext node,
      BucketCache entries,
      Channels lanes,
      DataLossRecovery recount,
      SafeScheduler timers) {
    this.node = node;
    this.entries = entries;
    this.lanes = lanes;
    this.recount = recount;
    this.timers = timers;
  }

  /** Begins to flush; called once. */
  void start() {
    next();
  }

  private void next() {
    timers.after(node.pace().flush(), this::tick);
  }

  private void tick() {
    if (closed) {
      return;
    }
    try {
      flush();
      lanes.watch();
    } finally {
      next(); // whatever happened: a flusher that stops would keep permits for ever
    }
  }

  /** One flush. */
  void flush() {
    long now = node.clock().micros();
    node.busy().drain(entry -> look(entry, now));
    recount.again(lanes);
    lanes.pump();
  }

  private void look(ActiveBucket entry, long now) {
    visited.incrementAndGet();
    ActiveBucket.Next next = ActiveBucket.Next.STAY;
    try {
      next = entry.flush(now);
      if (entry.wasUsed()) {
        entries.used(entry);
      }
      if (next == ActiveBucket.Next.ASK) {
        Channel lane = lanes.of(entry.bucket());
        lane.requestTerms(entry);
        lane.pumpIfFull(); // the store needn't wait until all are looked at
      }
    } catch (RuntimeException | Error mistake) { // of one entry, not of all
      timers.reports().failed(mistake);
    }
    if (next != ActiveBucket.Next.DROP) {
      node.busy().add(entry);
    }
  }

  long visited() {
    return visited.get();
  }

  void close() {
    closed = true;
  }
}
