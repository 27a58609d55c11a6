package io.weir.internal.writeback.channel;

import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.clock.SafeScheduler;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends overdue batches, with one timer for all of them: it fires when the first should be answered,
 * and then for whichever is in flight by then. A timer for each would wake a thread for each.
 *
 * <p>Safe for concurrent use.
 */
final class OverdueBatchTimer {
  private final SafeScheduler scheduler;
  private final ExtendableTimeout timeout;
  private final Set<Timed> underWay = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean watching = new AtomicBoolean();

  /** Something to be answered in time. */
  interface Timed {
    /** Ends it if it is overdue; returns the microseconds until the next check, 0 for none. */
    long endIfOverdue();
  }

  OverdueBatchTimer(SafeScheduler scheduler, ExtendableTimeout timeout) {
    this.scheduler = scheduler;
    this.timeout = timeout;
  }

  void begin(Timed batch) {
    underWay.add(batch);
    if (!watching.get() && watching.compareAndSet(false, true)) {
      scheduler.runAfter(timeout.length(), this::look);
    }
  }

  void end(Timed batch) {
    underWay.remove(batch);
  }

  private void look() {
    long next = 0;
    try {
      next = endOverdue();
    } finally {
      goOn(next);
    }
  }

  /**
   * Ends overdue batches; returns the microseconds until the next one will be, 0 if there is none.
   */
  long endOverdue() {
    long next = 0;
    for (Timed batch : underWay) {
      long left = batch.endIfOverdue();
      next = next == 0 || left > 0 && left < next ? left : next;
    }
    return next;
  }

  private void goOn(long next) {
    if (next > 0) {
      scheduler.runAfter(next, this::look);
      return;
    }
    watching.set(false);
    // A batch that began meanwhile saw this watching.
    if (!underWay.isEmpty() && watching.compareAndSet(false, true)) {
      scheduler.runAfter(0, this::look);
    }
  }
}
