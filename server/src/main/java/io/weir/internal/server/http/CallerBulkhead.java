package io.weir.internal.server.http;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits how many tasks of each caller run at once; further tasks wait in a queue of the caller.
 *
 * <p>Safe for concurrent use.
 */
final class CallerBulkhead {
  private final int slots;

  /** Guarded by this. */
  private final Map<String, CallerQueue> queues = new HashMap<>();

  private static final class CallerQueue {
    private int taken;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  }

  CallerBulkhead(int slots) {
    this.slots = slots;
  }

  /**
   * Takes a slot.
   *
   * @param whenFree runs in another thread when a slot is free, if none is free now
   * @return whether a slot was taken; each slot, also one of {@code whenFree}, must be released
   */
  synchronized boolean tryAcquire(String caller, Runnable whenFree) {
    CallerQueue queue = queues.computeIfAbsent(caller, any -> new CallerQueue());
    if (queue.taken < slots) {
      queue.taken++;
      return true;
    }
    queue.waiting.add(whenFree);
    return false;
  }

  synchronized void leave(String caller, Runnable whenFree) {
    CallerQueue queue = queues.get(caller);
    if (queue != null) {
      queue.waiting.remove(whenFree);
    }
  }

  /** Passes a slot on to the first task in the queue. */
  void release(String caller) {
    Runnable next;
    synchronized (this) {
      CallerQueue queue = queues.get(caller);
      if (queue == null) {
        return;
      }
      next = queue.waiting.poll();
      if (next == null && --queue.taken == 0) {
        queues.remove(caller);
      }
    }
    if (next != null) {
      next.run();
    }
  }
}
