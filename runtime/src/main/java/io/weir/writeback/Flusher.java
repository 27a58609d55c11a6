package io.weir.writeback;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Looks after the busy entries once a flush interval: tops leases up, gives idle permits back,
 * tells debts. All that is to be said goes in one settle for each lane.
 *
 * <p>Safe for concurrent use; one flush runs at a time.
 */
final class Flusher {
  private final Node node;
  private final Entries entries;
  private final Lanes lanes;
  private final Recount recount;
  private final Timers timers;
  private final AtomicLong visited = new AtomicLong();
  private volatile boolean closed;

  Flusher(Node node, Entries entries, Lanes lanes, Recount recount, Timers timers) {
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

  private void look(Entry entry, long now) {
    visited.incrementAndGet();
    Entry.Next next = Entry.Next.STAY;
    try {
      next = entry.flush(now);
      if (entry.wasUsed()) {
        entries.used(entry);
      }
      if (next == Entry.Next.ASK) {
        Lane lane = lanes.of(entry.bucket());
        lane.offer(entry);
        lane.pumpIfFull(); // the store needn't wait until all are looked at
      }
    } catch (RuntimeException | Error mistake) { // of one entry, not of all
      timers.reports().failed(mistake);
    }
    if (next != Entry.Next.DROP) {
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
